import TerminalUI
import TraceAnalysis
import TraceFormat

/// The findings of the rules: the source, the problem in each case, the subscriptions it was made
/// for, and its last events.
///
/// The most important findings come last, where a terminal shows them.
struct FindingsView {
  private let log: LogAnalysis
  private let groups: [FindingGroup]
  /// A Boolean value that indicates whether the rest of the report covers the whole time too.
  private let isWhole: Bool

  /// The maximum number of findings of a group that are listed one by one.
  private static let mostEntries = 3
  private static let mostGroups = 50
  private static let mostEvents = 3

  init(_ log: LogAnalysis, _ findings: [Finding], isWhole: Bool = true) {
    self.log = log
    self.isWhole = isWhole
    groups = FindingGroup.groups(of: findings, in: log).mostSevereFirst().reversed()
  }

  func lines(_ page: Page) -> [Line] {
    var lines: [Line] = []
    let hidden = groups.dropLast(FindingsView.mostGroups)
    if !hidden.isEmpty {
      let count = hidden.reduce(0) { $0 + $1.findings.count }
      lines += page.wrap(
        "\(CountText.make(count, "more finding")) in \(CountText.make(hidden.count, "other location"));"
          + " --format json lists all", .dim)
    }
    for group in groups.suffix(FindingsView.mostGroups) {
      lines += heading(group, page)
      for finding in group.findings.prefix(FindingsView.mostEntries) {
        lines += entry(finding, page)
      }
      let others = group.findings.count - FindingsView.mostEntries
      if others > 0 {
        lines += page.wrap(
          "and \(CountText.number(others)) later ones at this location", .dim,
          indent: page.indent(4))
      }
    }
    return lines
  }

  private func heading(_ group: FindingGroup, _ page: Page) -> [Line] {
    let severity = group.severity
    let rule = Line(
      "\(severity.rawValue)[\(group.fingerprint.rule)]", Glyphs.style(severity))
    var name = Line(
      page.cutMiddle(page.safe(group.site.lane), to: max(8, page.width / 2)), .bold)
    if group.findings.count > 1 {
      name.append(" \(page.glyphs.times)\(CountText.number(group.findings.count))", .bold)
    }
    var pieces = [rule, name]
    // A missing operator means that the record of the beginning is missing.
    let unknown =
      group.site.op == nil ? "its beginning is not in the log" : "source location unknown"
    let source = group.site.source ?? unknown
    pieces.append(Line(page.cutMiddle(page.safe(source), to: page.width - 4)))
    if let function = group.site.function { pieces.append(Line(page.safe(function))) }
    return page.flow(pieces, separator: "  ", indent: page.indent(4))
  }

  private func entry(_ finding: Finding, _ page: Page) -> [Line] {
    let lifecycle = log.lifecycles[finding.lifecycle]
    var pieces = [
      Line(page.safe(log.name(of: lifecycle)), .bold), Line(page.sentence(finding.sentence)),
      Line("since \(page.duration(lifecycle.start))"),
      Line(CountText.make(lifecycle.elements, "element") + (isWhole ? "" : " in all")),
    ]
    if !finding.others.isEmpty {
      let others = finding.others.map { "\(log.lifecycles[$0].id)" }
      let shown = others.prefix(4).joined(separator: ", ") + (others.count > 4 ? ", ..." : "")
      pieces.append(Line("with \(shown)"))
    }
    return page.flow(
      pieces, separator: page.glyphs.separator,
      first: Line(DisplayWidth.spaces(page.indent(4))), indent: page.indent(6))
      + chain(lifecycle, page) + events(lifecycle, page)
  }

  /// Returns the subscriptions that this one was made for, nearest first.
  private func chain(_ lifecycle: Lifecycle, _ page: Page) -> [Line] {
    var parents = log.ancestors(of: lifecycle, most: 4).map { index -> Line in
      let parent = log.lifecycles[index]
      let location = parent.site.source.map { " (\($0))" } ?? ""
      return Line(page.safe("\(parent.id) \(parent.site.lane)\(location)"))
    }
    guard let nearest = parents.first else { return [] }
    parents[0] = Line("made for ", .dim)
    for span in nearest.spans { parents[0].append(span.text, span.style) }
    return page.flow(
      parents, separator: page.glyphs.separator,
      first: Line(DisplayWidth.spaces(page.indent(6))), indent: page.indent(8))
  }

  /// Returns the last events of a subscription, as lines of the log.
  private func events(_ lifecycle: Lifecycle, _ page: Page) -> [Line] {
    log.lastEvents(of: lifecycle, most: FindingsView.mostEvents).map { event in
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
