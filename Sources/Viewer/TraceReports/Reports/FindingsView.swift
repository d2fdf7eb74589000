import TerminalUI
import TraceAnalysis
import TraceFormat
import TraceWords
import ViewerConsole

/// The findings of the rules: where each was observed, the problem in each case, what leaks with
/// it, what keeps it alive, and what to do.
///
/// The findings to fix first come first.
struct FindingsView {
  private let log: LogAnalysis
  private let groups: [FindingGroup]
  /// The subscriptions with a finding about a retain cycle.
  private let cycles: Set<Int>
  /// A Boolean value that indicates whether the rest of the report covers the whole time too.
  private let isWhole: Bool

  /// The maximum number of subscriptions of a finding that are listed one by one.
  private var maxEntries = 3
  /// A Boolean value that indicates whether to list the subscriptions of retain cycles, too.
  private var listsCycles = false
  /// Finds the lines of the source to show, if they are shown.
  private var sources: SourceLocator?
  private static let maxGroups = 50
  private static let maxEvents = 3

  /// - Parameters:
  ///   - groups: The findings, in the order in which to show them.
  ///   - sources: Finds the line of the source to edit, which is then shown. Without it, no source
  ///     is shown.
  init(
    _ log: LogAnalysis, _ groups: [FindingGroup], isWhole: Bool = true,
    sources: SourceLocator? = nil
  ) {
    self.sources = sources
    self.log = log
    self.isWhole = isWhole
    self.groups = groups
    cycles = Set(groups.lazy.flatMap(\.findings).filter(\.isCycle).map(\.lifecycle))
  }

  /// Creates a view of one finding that lists its subscriptions.
  static func whole(_ log: LogAnalysis, _ group: FindingGroup) -> FindingsView {
    var view = FindingsView(log, [group])
    view.maxEntries = 1000
    view.listsCycles = true
    return view
  }

  func lines(_ page: Page) -> [Line] {
    var lines = groups.prefix(FindingsView.maxGroups).flatMap { self.lines(of: $0, page) }
    let hidden = groups.count - FindingsView.maxGroups
    if hidden > 0 {
      lines += page.wrap("\(CountText.make(hidden, "more finding")); --format json lists all", .dim)
    }
    return lines
  }

  /// Returns everything about a finding.
  func lines(of group: FindingGroup, _ page: Page) -> [Line] {
    summary(of: group, page) + details(of: group, page)
  }

  /// Returns where a finding is, and its sentence.
  ///
  /// - Parameter lead: What to write before the severity, if anything.
  func summary(of group: FindingGroup, after lead: Line? = nil, _ page: Page) -> [Line] {
    let words = FindingWords(log: log, page: page)
    return heading(group, after: lead, page)
      + words.wrap(words.message(of: group), indent: page.indent(2))
      + words.origins(of: group).flatMap { words.wrap($0, .dim, indent: page.indent(2)) }
  }

  /// Returns what keeps the subscriptions of a finding alive, and what to do.
  func details(of group: FindingGroup, _ page: Page) -> [Line] {
    group.isCycle ? cycle(group, page) : entries(group, page)
  }

  /// Returns the subscriptions that a retain cycle keeps alive, and the cycle.
  private func cycle(_ group: FindingGroup, _ page: Page) -> [Line] {
    guard let first = group.findings.first, let retention = first.retention else { return [] }
    let words = FindingWords(log: log, page: page)
    let number = Int(log.lifecycles[first.lifecycle].log)
    var lines = RetentionView(retention: retention, log: number, words: words)
      .lines(page, indent: page.indent(4))
    lines += source(of: retention, page)
    lines += objects(first, words)
    lines += sentences(retention, of: first, words)
    lines += words.cause(of: first).map { words.wrap($0, .dim, indent: page.indent(4)) } ?? []
    if !words.isRemedyInMark(of: retention) { lines += advice(first, page) }
    guard listsCycles else { return lines }
    for finding in group.findings.prefix(maxEntries) {
      lines += entry(finding, of: group, isOnly: true, page)
    }
    return lines + rest(of: group, page)
  }

  /// Returns the line of the source with the step to break. It is empty if the file was not found.
  private func source(of retention: Retention, _ page: Page) -> [Line] {
    guard let sources, let step = retention.breakStep,
      let site = step.site.map({ ObservedPlace(source: $0) }), let file = site.file,
      let path = sources.absolutePath(ofSource: file),
      let excerpt = SourceExcerpt(
        reading: path, path: sources.path(ofSource: file), line: site.line ?? 0,
        column: step.column ?? 1)
    else { return [] }
    let indent = page.indent(4)
    let mark = RetentionWords.remedy(retention)?.text ?? ""
    return excerpt.lines(page, indent: indent, mark: page.safe(mark))
  }

  /// Returns what other rules found, subscription by subscription.
  private func entries(_ group: FindingGroup, _ page: Page) -> [Line] {
    let words = FindingWords(log: log, page: page)
    var lines: [Line] = []
    var known: [String]?
    for finding in group.findings.prefix(maxEntries) {
      lines += entry(finding, of: group, isOnly: group.findings.count == 1, page)
      lines += objects(finding, words)
      // The subscriptions of one mistake usually have the same holders.
      guard let retention = finding.retention else { continue }
      let what =
        retention.steps.map { words.name(of: $0) } + words.sentences(retention, of: finding)
      guard what != known else { continue }
      known = what
      let number = Int(log.lifecycles[finding.lifecycle].log)
      lines += sentences(retention, of: finding, words)
      guard let lead = words.lead(retention) else { continue }
      // The finding about the cycle has its steps.
      let isRepetition = retention.isCycle && isKnown(cycleOf: finding)
      lines += page.wrap(lead + (isRepetition ? "" : ":"), indent: page.indent(4))
      guard !isRepetition else { continue }
      lines += RetentionView(retention: retention, log: number, words: words)
        .lines(page, indent: page.indent(6))
    }
    return lines + rest(of: group, page) + (group.findings.first.map { advice($0, page) } ?? [])
  }

  private func rest(of group: FindingGroup, _ page: Page) -> [Line] {
    let others = group.findings.count - maxEntries
    guard others > 0 else { return [] }
    return page.wrap(
      "and \(CountText.make(others, "later one")) at this location", .dim, indent: page.indent(4))
  }

  private func isKnown(cycleOf finding: Finding) -> Bool {
    cycles.contains(finding.lifecycle)
  }

  /// Returns the objects of a finding by class.
  private func objects(_ finding: Finding, _ words: FindingWords) -> [Line] {
    words.objects(of: finding).flatMap {
      words.wrap($0, .dim, indent: words.page.indent(4))
    }
  }

  private func sentences(
    _ retention: Retention, of finding: Finding, _ words: FindingWords
  ) -> [Line] {
    words.sentences(retention, of: finding).flatMap {
      words.wrap($0, indent: words.page.indent(4))
    }
  }

  private func advice(_ finding: Finding, _ page: Page) -> [Line] {
    guard !finding.advice.isEmpty else { return [] }
    return FindingWords(log: log, page: page)
      .wrap("fix: " + page.safeBeginning(finding.advice), indent: page.indent(4))
  }

  private func heading(_ group: FindingGroup, after lead: Line?, _ page: Page) -> [Line] {
    let severity = group.severity
    let rule = Line("\(severity.rawValue)[\(group.fingerprint.rule)]", Glyphs.style(severity))
    let words = FindingWords(log: log, page: page)
    let name = Line(words.lanes(of: group, width: max(8, page.width / 2)), .bold)
    var pieces = [lead, rule, Line(group.id.description, .bold), name].compactMap(\.self)
    if let observed = words.observed(group.observed, isTask: group.site.op == .task) {
      pieces.append(Line(page.cutMiddle(observed.place, to: page.width - 4)))
      if let function = observed.function { pieces.append(Line(FindingWords.beginning(function))) }
      return page.flow(pieces, separator: "  ", indent: page.indent(4))
    }
    // A missing operator means that the record of the beginning is missing.
    let unknown =
      group.site.op == nil ? "its beginning is not in the log" : "source location unknown"
    let source = group.site.source ?? unknown
    pieces.append(Line(page.cutMiddle(page.safe(source), to: page.width - 4)))
    if let function = group.site.function { pieces.append(Line(page.safe(function))) }
    return page.flow(pieces, separator: "  ", indent: page.indent(4))
  }

  /// - Parameter isOnly: A Boolean value that indicates whether the sentence about the whole
  ///   finding is also that about this subscription.
  private func entry(
    _ finding: Finding, of group: FindingGroup, isOnly: Bool, _ page: Page
  ) -> [Line] {
    let lifecycle = log.lifecycles[finding.lifecycle]
    let sentence = isOnly ? [] : [Line(page.sentence(finding.sentence))]
    guard !lifecycle.isObject else {
      return sentence.flatMap {
        FindingWords(log: log, page: page).wrap($0.text, indent: page.indent(2))
      }
    }
    let ofLane = group.lanes.count > 1 ? " \(lifecycle.site.lane)" : ""
    var pieces =
      [Line(page.safe(log.name(of: lifecycle) + ofLane), .bold)] + sentence
      + [Line("since \(page.duration(lifecycle.start))")]
    if !lifecycle.isTask || lifecycle.elements > 0 {
      pieces.append(
        Line(CountText.make(lifecycle.elements, "element") + (isWhole ? "" : " in all")))
    }
    if !finding.others.isEmpty {
      let others = finding.others.map { "\(log.lifecycles[$0].id)" }
      let shown = others.prefix(4).joined(separator: ", ") + (others.count > 4 ? ", ..." : "")
      pieces.append(Line("with \(shown)"))
    }
    return page.flow(
      pieces, separator: page.glyphs.separator,
      first: Line(DisplayWidth.spaces(page.indent(4))), indent: page.indent(6))
      + lane(lifecycle, page) + chain(lifecycle, page) + cause(finding, page)
      + events(lifecycle, page)
  }

  /// Returns the location of the lane, if the heading has the place of the observation instead.
  private func lane(_ lifecycle: Lifecycle, _ page: Page) -> [Line] {
    guard let observed = log.observed(of: lifecycle), let source = lifecycle.site.source,
      observed.source != source
    else { return [] }
    let words = lifecycle.isTask ? "it begins at " : "its lane is at "
    var line = Line(DisplayWidth.spaces(page.indent(6)) + words, .dim)
    line.append(page.safe(source))
    if let function = lifecycle.site.function { line.append("  " + page.safe(function)) }
    return [line.cut(to: page.width, ellipsis: page.glyphs.ellipsis)]
  }

  private func cause(_ finding: Finding, _ page: Page) -> [Line] {
    let words = FindingWords(log: log, page: page)
    return words.cause(of: finding).map { words.wrap($0, .dim, indent: page.indent(6)) } ?? []
  }

  /// Returns the subscriptions that this one was made for, nearest first.
  private func chain(_ lifecycle: Lifecycle, _ page: Page) -> [Line] {
    var parents = log.ancestors(of: lifecycle, maxCount: 4).map { index -> Line in
      let parent = log.lifecycles[index]
      let location = parent.site.source.map { " (\($0))" } ?? ""
      return Line(page.safe("\(parent.id) \(parent.site.lane)\(location)"))
    }
    guard let nearest = parents.first else { return [] }
    parents[0] = Line("made for ", .dim)
    parents[0].append(nearest)
    return page.flow(
      parents, separator: page.glyphs.separator,
      first: Line(DisplayWidth.spaces(page.indent(6))), indent: page.indent(8))
  }

  /// Returns the last events of a subscription, as lines of the log.
  private func events(_ lifecycle: Lifecycle, _ page: Page) -> [Line] {
    log.lastEvents(of: lifecycle, maxCount: FindingsView.maxEvents).map { event in
      let file = log.files[event.location.file].name
      var text = "\(event.kind.rawValue) at \(page.duration(event.time))"
      if let value = event.text { text += ": " + page.safeBeginning(value) }
      let shownFile = page.cutMiddle(page.safe(file), to: max(8, page.width / 2))
      var line = Line(
        "\(DisplayWidth.spaces(page.indent(6)))\(shownFile):\(event.location.line)  ", .dim)
      line.append(text)
      return line.cut(to: page.width, ellipsis: page.glyphs.ellipsis)
    }
  }
}
