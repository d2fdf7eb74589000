import TerminalUI
import TraceAnalysis
import TraceFormat
import TraceWords
import ViewerConsole

/// The head of a report: who wrote the logs, how much is in them, and how they ended.
struct HeaderView {
  let log: LogAnalysis
  let verdict: Verdict

  /// The maximum number of logs. Additional ones are summed up.
  private static let maxLogs = 12

  func lines(_ page: Page) -> [Line] {
    let gap = page.glyphs.separator
    var lines: [Line] = []
    if log.logs.count > 1 {
      lines.append(Line("\(CountText.make(log.logs.count, "log")) on one time axis", .bold))
    }
    for number in log.logs.indices.prefix(HeaderView.maxLogs) {
      lines += page.flow(identity(log.logs[number], page), separator: gap)
      lines += page.flow(size(log.logs[number], page), separator: gap)
      lines += page.flow(ending(number, page), separator: gap)
    }
    if log.logs.count > HeaderView.maxLogs {
      let hidden = log.logs.count - HeaderView.maxLogs
      lines += page.wrap("+\(CountText.make(hidden, "more log"))", .dim)
    }
    return lines
  }

  private func identity(_ log: TraceLog, _ page: Page) -> [Line] {
    let name = log.header?.process ?? log.names.first ?? "?"
    var pieces = [Line(page.safe(name), .bold)]
    let pid = log.header?.pid.map { "pid \($0)" }
    let host = log.header?.host.map { "on " + page.safe($0) }
    let process = [pid, host].compactMap { $0 }.joined(separator: " ")
    if !process.isEmpty { pieces.append(Line(process)) }
    if let started = log.header?.started {
      pieces.append(Line("started " + page.safe(WallClockText.make(started))))
    }
    if log.names.count > 1 { pieces.append(Line(CountText.make(log.names.count, "file"))) }
    return pieces
  }

  private func size(_ log: TraceLog, _ page: Page) -> [Line] {
    if let inspection = log.inspection {
      return [Line(LogSentences.inspected(inspection, of: log))]
    }
    if let searched = log.searched {
      return [
        Line("\(CountText.make(Int(clamping: searched), "byte")) searched"),
        Line(LogSentences.leaked(log)),
      ]
    }
    var subscriptions = CountText.make(log.members.count, "subscription")
    let active = self.log.lifecycles[log.members].count { $0.isActive }
    if active > 0 { subscriptions += " (\(CountText.number(active)) still active)" }
    return [
      Line("lasted " + page.duration(log.lastTime.since(Nanoseconds(log.offset)))),
      Line(CountText.make(log.records, "record")), Line(subscriptions),
    ]
  }

  private func ending(_ number: Int, _ page: Page) -> [Line] {
    let log = log.logs[number]
    var pieces: [Line] = []
    if log.end != nil {
      pieces.append(Line("ended cleanly", Style(color: .green)))
    } else if log.continues {
      pieces.append(Line("continues in another file", Glyphs.suspectStyle))
    } else {
      pieces.append(Line("no end: the process died or is still running", Glyphs.suspectStyle))
    }
    for doubt in verdict.doubts[number] where doubt != .noEnd && doubt != .continues {
      pieces.append(Line(LogSentences.doubt(doubt), Glyphs.suspectStyle))
    }
    return pieces
  }
}

/// A formatter for times of the wall clock.
enum WallClockText {
  /// Returns `2026-11-20T23:48:50.123456789Z` as `2026-11-20 23:48:50 UTC`. Other formats are
  /// returned unchanged.
  static func make(_ time: String) -> String {
    var parts = time.split(separator: "T", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].last == "Z" else { return time }
    parts[1] = parts[1].dropLast().prefix { $0 != "." }
    return "\(parts[0]) \(parts[1]) UTC"
  }
}
