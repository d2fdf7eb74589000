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
  ///
  /// - Parameter width: The number of columns for the text. The place fits as long as possible.
  func line(_ index: Int, width: Int = .max / 2) -> String {
    let lifecycle = log.lifecycles[index]
    let facts =
      if let objects = log.leakedObjects(of: index) {
        facts(objects)
      } else {
        [fate(lifecycle)] + activity(index, lifecycle)
      }
    let text = PlacedText(
      title: page.safe(log.title(of: lifecycle)), facts: facts.map(page.safe),
      place: lifecycle.site.source.map(page.safe))
    return text.fit(to: width, page).pieces.joined(separator: PlacedText.gap)
  }

  private func activity(_ index: Int, _ lifecycle: Lifecycle) -> [String] {
    if let present = log.presentWait(of: index) {
      return [TaskWords(log, page).sentence(present, of: index)]
    }
    guard !lifecycle.isTask || lifecycle.elements > 0 else { return [] }
    return [CountText.make(lifecycle.elements, "element")]
  }

  /// Returns text such as `1,103 leaked objects` and `36,024 bytes`.
  private func facts(_ objects: LeakedObjects) -> [String] {
    let noun = objects.scope == nil ? "leaked object" : "instance"
    return [CountText.make(objects.objectCount, noun), CountText.make(objects.bytes, "byte")]
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
  ///
  /// - Parameter time: The text of the time, or `nil` for three digits.
  package func line(_ event: LogEvent, time: String? = nil) -> String {
    var pieces = [time ?? page.duration(event.time)]
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
  /// The files to which places are links.
  var sources = SourceFiles()

  /// Returns text such as `error[undisposed]  r54wdg  search.results #1 ×2  SearchScreen.swift:26
  /// still active after 5.16 s, and 1 more`.
  ///
  /// - Parameter width: The number of columns for the text, by default those of the page. The place
  ///   fits as long as possible, while the name of the lane is shortened.
  func line(_ group: FindingGroup, width: Int? = nil) -> Line {
    let width = width ?? page.width
    var line = heading(group, width: width)
    // An ellipsis in place of the sentence would replace the end of the place.
    guard line.columns + PlacedText.gap.count + Self.minSentence <= width else { return line }
    line.append(PlacedText.gap + FindingWords(log: log, page: page).sentence(of: group))
    return line
  }

  /// Returns the line without the sentence.
  func heading(_ group: FindingGroup, width: Int) -> Line {
    guard let first = group.findings.first else { return Line() }
    let lifecycle = log.lifecycles[first.lifecycle]
    let name = page.safe(
      lifecycle.isObject
        ? log.title(of: lifecycle)
        : group.lanes.count > 1
          ? FindingWords(log: log, page: page).lanes(of: group)
          : "\(lifecycle.site.lane) \(log.name(of: lifecycle))")
    let count = group.findings.count
    let times = count > 1 ? " \(page.glyphs.times)\(CountText.number(count))" : ""
    // The observation is where the mistake is made. The place of the lane may be far from there.
    let place = group.observed?.source ?? group.observed?.function ?? lifecycle.site.source
    let text = PlacedText(
      title: name, facts: [], place: place.map { page.safe(PlacedText.withoutFolders($0)) })
    var line = Line(rule(group, first), Glyphs.style(group.severity))
    line.append("\(group.id)  ")
    // On narrow pages, the place is worth more than the name of the rule.
    if line.columns + DisplayWidth.columns(of: times) + text.minWidth > width {
      line = Line(sign(group), Glyphs.style(group.severity))
    }
    let room = width - line.columns - DisplayWidth.columns(of: times)
    let fitted = text.fit(to: room, page)
    line.append(fitted.title + times, .bold)
    if let place = fitted.place {
      line.append(PlacedText.gap)
      let source = group.observed?.source ?? lifecycle.site.source
      line.append(place, sources.linked(.plain, to: source))
    }
    return line
  }

  /// The minimum number of columns for the beginning of a sentence.
  private static let minSentence = 8

  private func rule(_ group: FindingGroup, _ first: Finding) -> String {
    "\(group.severity.rawValue)[\(first.rule)]  "
  }

  private func sign(_ group: FindingGroup) -> String {
    (group.severity == .error ? page.glyphs.suspect : "?") + " "
  }

  /// Returns what to do about a finding, and how much depends on it.
  func advice(_ group: FindingGroup) -> Line {
    var line = Line(page.safe(group.findings.first?.advice ?? ""))
    if let along = FindingWords(log: log, page: page).consequences(of: group.findings) {
      line.append("  \(along.count)", .dim)
    }
    return line
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
