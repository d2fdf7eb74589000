package import TerminalUI
package import TraceAnalysis
package import TraceFormat
import TraceWords
package import ViewerConsole

/// A formatter for a subscription on one line.
struct SubscriptionText {
  let log: LogAnalysis
  let page: Page

  /// Returns text such as `#5 search.request  completed after 26 ms  1 element
  /// search_sample/SearchScreen.swift:44`.
  func line(_ index: Int) -> String {
    let lifecycle = log.lifecycles[index]
    if let objects = log.leakedObjects(of: index) { return line(objects, lifecycle) }
    var pieces = [log.title(of: lifecycle), fate(lifecycle)]
    if let present = log.presentWait(of: index) {
      pieces.append(TaskWords(log, page).sentence(present, of: index))
    } else if !lifecycle.isTask || lifecycle.elements > 0 {
      pieces.append(CountText.make(lifecycle.elements, "element"))
    }
    if let source = lifecycle.site.source { pieces.append(source) }
    return pieces.map(page.safe).joined(separator: "  ")
  }

  /// Returns text such as `Forest  1,103 leaked objects  36,024 bytes  App/Forest.swift:3`.
  private func line(_ objects: LeakedObjects, _ lifecycle: Lifecycle) -> String {
    let noun = objects.scope == nil ? "leaked object" : "instance"
    let pieces: [String?] = [
      log.title(of: lifecycle), CountText.make(objects.objectCount, noun),
      CountText.make(objects.bytes, "byte"), lifecycle.site.source,
    ]
    return pieces.compactMap { $0.map(page.safe) }.joined(separator: "  ")
  }

  /// Returns text such as `completed after 26 ms` or `active for 5.16 s`.
  func fate(_ lifecycle: Lifecycle) -> String {
    let age = page.duration(log.age(of: lifecycle))
    return lifecycle.isActive ? "active for \(age)" : "\(lifecycle.state) after \(age)"
  }
}

/// A formatter for an event on one line.
package struct EventText {
  let log: LogAnalysis
  let page: Page

  package init(log: LogAnalysis, page: Page) {
    self.log = log
    self.page = page
  }

  /// Returns text such as `1.24 s  search.query #2  next  siginal  [main]`.
  package func line(_ event: LogEvent) -> String {
    var pieces = [page.duration(event.time)]
    if let index = event.lifecycle {
      let lifecycle = log.lifecycles[index]
      pieces.append("\(page.safe(lifecycle.site.lane)) \(page.safe(log.name(of: lifecycle)))")
    }
    pieces.append(event.kind.rawValue)
    if let text = event.text { pieces.append(page.safeBeginning(text)) }
    if let thread = thread(event) { pieces.append("[\(page.safe(thread))]") }
    return pieces.joined(separator: "  ")
  }

  package func thread(_ event: LogEvent) -> String? {
    guard let number = event.thread, let index = event.lifecycle else { return nil }
    return ThreadLabel.of(number, log: Int(log.lifecycles[index].log), in: log)
  }

  package static func style(_ kind: LogFormat.Event) -> Style {
    switch kind {
    case .completed: Glyphs.style(.completed)
    case .failed: Glyphs.style(.failed)
    case .disposed: Glyphs.style(.disposed)
    case .released: Glyphs.style(.released)
    case .subscribe, .alive: Glyphs.style(.active)
    case .mark, .scopeBegin, .scopeEnd: Glyphs.noteStyle
    case .suspended: .dim
    case .lost: Glyphs.suspectStyle
    default: .plain
    }
  }
}

/// A formatter for a finding on one line.
struct FindingText {
  let log: LogAnalysis
  let page: Page

  /// Returns text such as `error[undisposed]  r54wdg  search.results #1 ×2  SearchScreen.swift:26
  /// still active after 5.16 s, and 1 more`.
  func line(_ group: FindingGroup) -> Line {
    guard let first = group.findings.first else { return Line() }
    let lifecycle = log.lifecycles[first.lifecycle]
    let severity = group.severity
    var line = Line()
    if page.width < Self.minColumnsForRule {
      line.append(severity == .error ? page.glyphs.suspect : "?", Glyphs.style(severity))
    } else {
      line.append("\(severity.rawValue)[\(first.rule)] ", Glyphs.style(severity))
      line.append(" \(group.id) ")
    }
    let name =
      lifecycle.isObject
      ? log.title(of: lifecycle) : "\(lifecycle.site.lane) \(log.name(of: lifecycle))"
    line.append(" \(page.safe(name))", .bold)
    if group.findings.count > 1 {
      line.append(" \(page.glyphs.times)\(CountText.number(group.findings.count))", .bold)
    }
    // The observation is where the mistake is made. The place of the lane may be far from there.
    if let text = group.observed?.source ?? group.observed?.function ?? lifecycle.site.source {
      line.append("  \(page.safe(Self.withoutFolders(text)))")
    }
    line.append("  \(FindingWords(log: log, page: page).sentence(of: group))")
    return line
  }

  /// On narrower pages, the place is worth more than the name of the rule.
  private static let minColumnsForRule = 60

  /// Returns what to do about a finding, and how much depends on it.
  func advice(_ group: FindingGroup) -> Line {
    var line = Line(page.safe(group.findings.first?.advice ?? ""))
    if let along = FindingWords(log: log, page: page).consequences(of: group.findings) {
      line.append("  \(along.count)", .dim)
    }
    return line
  }

  /// The file name is enough in a list. The detail has the whole path.
  private static func withoutFolders(_ source: String) -> String {
    guard ObservedPlace(source: source).line != nil, let slash = source.lastIndex(of: "/") else {
      return source
    }
    return String(source[source.index(after: slash)...])
  }
}

/// The text of the selected event, subscription or lane.
enum SelectionText {
  static func of(_ viewer: Viewer) -> String? {
    let (timeline, log, page) = (viewer.timeline, viewer.log, viewer.page.unbounded)
    if let event = timeline.event { return EventText(log: log, page: page).line(event) }
    guard let chosen = timeline.chosen, log.lifecycles.indices.contains(chosen) else {
      return timeline.selectedLane.map { page.safe($0.name) }
    }
    return SubscriptionText(log: log, page: page).line(chosen)
  }
}
