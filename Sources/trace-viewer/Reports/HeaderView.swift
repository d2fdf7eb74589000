internal import ReactiveTrace

/// Who wrote the log, how much is in it, and how it ended.
struct HeaderView {
  let log: LogAnalysis
  let verdict: Verdict
  let name: String

  func lines(_ page: Page) -> [Line] {
    let gap = page.glyphs.separator
    return page.flow(identity(page), separator: gap)
      + page.flow(size(page), separator: gap)
      + page.flow(ending(page), separator: gap)
      + oddities(page)
  }

  private func identity(_ page: Page) -> [Line] {
    var pieces = [Line(page.safe(log.header?.process ?? name), .bold)]
    let pid = log.header?.pid.map { "pid \($0)" }
    let host = log.header?.host.map { "on " + page.safe($0) }
    let process = [pid, host].compactMap { $0 }.joined(separator: " ")
    if !process.isEmpty { pieces.append(Line(process)) }
    if let started = log.header?.started {
      pieces.append(Line("started " + page.safe(HeaderView.readable(started))))
    }
    return pieces
  }

  private func size(_ page: Page) -> [Line] {
    var subscriptions = CountText.make(log.lifecycles.count, "subscription")
    let active = log.activeCount
    if active > 0 { subscriptions += " (\(CountText.number(active)) still active)" }
    return [
      Line("lasted " + page.duration(log.duration)),
      Line(CountText.make(log.records, "record")), Line(subscriptions),
    ]
  }

  private func ending(_ page: Page) -> [Line] {
    var pieces: [Line] = []
    if log.end != nil {
      pieces.append(Line("ended cleanly", Style(color: .green)))
    } else if log.continues {
      pieces.append(Line("goes on in the next file of the log", Glyphs.suspectStyle))
    } else {
      pieces.append(Line("no end: the process died, or is still running", Glyphs.suspectStyle))
    }
    for doubt in verdict.doubts where doubt != .noEnd && doubt != .continues {
      pieces.append(Line(LogSentences.doubt(doubt), Glyphs.suspectStyle))
    }
    if log.damage[.torn] != nil {
      pieces.append(Line(LogSentences.damage(.torn, 1), Style(color: .yellow)))
    }
    return pieces
  }

  private func oddities(_ page: Page) -> [Line] {
    let kinds: [Damage.Kind] = [
      .missingHeader, .missingSubscribe, .duplicateSubscribe, .afterEnd, .afterLogEnd,
    ]
    return kinds.flatMap { kind -> [Line] in
      guard let tally = log.damage[kind] else { return [] }
      return page.wrap(
        "line \(tally.firstLine): " + LogSentences.damage(kind, tally.count),
        Style(color: .yellow))
    }
  }

  /// `2026-11-20T23:48:50.123456789Z` as people read it; what is written otherwise stays as it is.
  private static func readable(_ time: String) -> String {
    var parts = time.split(separator: "T", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].last == "Z" else { return time }
    parts[1] = parts[1].dropLast().prefix { $0 != "." }
    return "\(parts[0]) \(parts[1]) UTC"
  }
}
