internal import ReactiveTrace

/// The subscriptions that nobody disposed: where they were made, how old they are, and what they did last.
struct SuspectsView {
  let verdict: Verdict
  private let groups: [Suspects]
  private let entries: [[Entry]]

  /// Subscriptions of one place that are told one by one.
  private static let mostEntries = 3
  private static let mostPlaces = 50

  private struct Entry {
    let lifecycle: Lifecycle
    let age: Nanoseconds
    let text: String?
  }

  /// Reads the last elements again from the file.
  init(_ log: LogAnalysis, _ verdict: Verdict, file: borrowing LogSource) {
    self.verdict = verdict
    groups = Suspects.bySite(verdict.findings)
    var entries: [[Entry]] = []
    for group in groups.prefix(SuspectsView.mostPlaces) {
      var ofGroup: [Entry] = []
      for lifecycle in group.lifecycles.prefix(SuspectsView.mostEntries) {
        ofGroup.append(
          Entry(
            lifecycle: lifecycle, age: log.age(of: lifecycle),
            text: LogAnalysis.lastText(of: lifecycle, in: file)))
      }
      entries.append(ofGroup)
    }
    self.entries = entries
  }

  func lines(_ page: Page) -> [Line] {
    var lines: [Line] = []
    for (group, entries) in zip(groups, entries) {
      lines += place(group, page)
      for entry in entries { lines += self.entry(entry, page) }
      let others = group.lifecycles.count - entries.count
      if others > 0 {
        lines += page.wrap("and \(CountText.number(others)) younger from there", .dim, indent: 4)
      }
    }
    let hidden = groups.dropFirst(SuspectsView.mostPlaces)
    if !hidden.isEmpty {
      let count = hidden.reduce(0) { $0 + $1.lifecycles.count }
      lines += page.wrap(
        "and \(CountText.number(count)) more from \(CountText.make(hidden.count, "other place"))",
        .dim)
    }
    return lines
  }

  private func place(_ group: Suspects, _ page: Page) -> [Line] {
    let isProof = verdict.doubts.isEmpty
    var first = Line(
      isProof ? page.glyphs.suspect : page.glyphs.active,
      isProof ? Glyphs.suspectStyle : Glyphs.style(.active))
    first.append(" ")
    var name = Line(
      page.cutMiddle(page.safe(group.site.lane), to: max(8, page.width / 2)), .bold)
    if group.lifecycles.count > 1 {
      name.append(" \(page.glyphs.times)\(CountText.number(group.lifecycles.count))", .bold)
    }
    var pieces = [name]
    let source = group.site.source ?? "its beginning is not in the log"
    pieces.append(Line(page.cutMiddle(page.safe(source), to: page.width - 4)))
    if let function = group.site.function { pieces.append(Line(page.safe(function))) }
    return page.flow(pieces, separator: "  ", first: first, indent: 4)
  }

  private func entry(_ entry: Entry, _ page: Page) -> [Line] {
    let lifecycle = entry.lifecycle
    var pieces = [
      Line("\(lifecycle.id)", .bold),
      Line("alive for \(page.duration(entry.age)) since \(page.duration(lifecycle.start))"),
      Line(CountText.make(lifecycle.elements, "element")),
    ]
    if lifecycle.last.kind != .subscribe {
      var last = "last: \(lifecycle.last.kind.rawValue) at \(page.duration(lifecycle.last.time))"
      if let text = entry.text { last += ": " + page.safe(text) }
      pieces.append(Line(page.cut(last, to: page.width - 4)))
    }
    return page.flow(
      pieces, separator: page.glyphs.separator, first: Line(DisplayWidth.spaces(4)), indent: 4)
  }
}
