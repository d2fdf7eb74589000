import TerminalUI
import TraceAnalysis
import TraceFormat
import TraceWords
import ViewerConsole

/// The first line: the name of the log, the progress of reading, and the replay.
struct HeaderBar {
  let viewer: Viewer

  /// The line, without the pieces that do not fit.
  var line: Line {
    let page = viewer.page
    var line = Line()
    for (index, piece) in pieces.enumerated() {
      let gap = index == 0 ? "" : page.glyphs.separator
      guard line.columns + DisplayWidth.columns(of: gap) + piece.columns <= viewer.terminal.columns
      else {
        if index == 0 {
          line = piece.cut(to: viewer.terminal.columns, ellipsis: page.glyphs.ellipsis)
        }
        continue
      }
      line.append(gap, .dim)
      line.append(piece)
    }
    return line
  }

  private var pieces: [Line] {
    let page = viewer.page
    let log = viewer.log
    // The state is more important than a long name.
    let room = state.map {
      viewer.terminal.columns - $0.columns - DisplayWidth.columns(of: page.glyphs.separator)
    }
    let name = page.cut(page.safe(title), to: max(3, room ?? viewer.terminal.columns))
    var pieces = [Line(name, .bold)]
    if let state { pieces.append(state) }
    if viewer.viewed.isDamaged, let number = viewer.panes.number(of: .findings) {
      pieces.append(Line("damaged, see \(number)", Glyphs.suspectStyle))
    }
    if viewer.feed.arrangement != viewer.viewed.arrangement {
      pieces.append(Line("arranging", .dim))
    }
    if !viewer.viewed.arrangement.filter.isEmpty {
      // How much the filter shows is next to it, because other numbers are left out first.
      let count = shownCount.map { " (\($0))" } ?? ""
      let gap = DisplayWidth.columns(of: page.glyphs.separator)
      let used = pieces.reduce(0) { $0 + $1.columns + gap }
      let columns = viewer.terminal.columns
      let room = min(columns / 2, columns - used) - DisplayWidth.columns(of: count)
      let text = page.cut("filtered: \(page.safe(filterText))", to: max(8, room)) + count
      pieces.append(Line(text, Style(color: .yellow, isBold: true)))
    }
    if viewer.feed.suspended != nil { pieces.append(Line("filter off", .dim)) }
    if let search = viewer.search.result, !search.isComplete {
      pieces.append(Line("searching \(Int(search.progress * 100)) %", .dim))
    }
    if let replay = viewer.replay {
      let sign = replay.isPlaying ? page.glyphs.play : page.glyphs.pause
      let gaps = replay.skipsGaps ? ", gaps skipped" : ""
      pieces.append(Line("\(sign) \(replay.speed.text)\(gaps)", Style(color: .cyan, isBold: true)))
    }
    if let recording = viewer.recording {
      let log = viewer.log
      let length = log.duration > recording.start ? log.duration.since(recording.start) : .zero
      let text = "recording \(page.duration(length))"
      pieces.append(Line(text, Style(color: .cyan, isBold: true)))
    }
    if let between = viewer.timeline.marks.between {
      pieces.append(Line("A to B \(page.duration(between.duration))", .bold))
    }
    pieces += findings
    pieces.append(Line(CountText.make(log.records, "record")))
    if let rate = viewer.feed.reading.rate { pieces.append(Line("\(CountText.number(rate))/s")) }
    let lost = log.logs.reduce(UInt64(0)) { $0.plusSaturating($1.lost) }
    if lost > 0 { pieces.append(Line("\(CountText.number(lost)) lost", Glyphs.suspectStyle)) }
    if viewer.hasSubscriptions, let subscriptions { pieces.append(subscriptions) }
    let leaked = log.logs.reduce(0) { $0 + $1.leaked.objects }
    if leaked > 0 { pieces.append(Line(CountText.make(leaked, "leaked object"))) }
    return pieces
  }

  /// The number of findings. Unproven ones are shown only if further records can't prove them.
  private var findings: [Line] {
    let all = viewer.viewed.groups.count
    let proven = viewer.viewed.proven
    if proven.count == 0 {
      guard all > 0, !viewer.feed.reading.follows else { return [] }
      return [Line("\(CountText.number(all)) unproven", Style(color: .yellow))]
    }
    let style = proven.hasError ? Glyphs.suspectStyle : Style(color: .yellow, isBold: true)
    return [Line(CountText.make(proven.count, "finding"), style)]
  }

  /// The number of subscriptions and of the active ones among them. If not all are shown, their
  /// number is next to the filter.
  private var subscriptions: Line? {
    let all = CountText.make(viewer.log.subscriptionCount, "subscription")
    let active = viewer.viewed.shownActive
    let words = [
      shownCount == nil ? all : nil, active > 0 ? "\(CountText.number(active)) active" : nil,
    ].compactMap(\.self)
    return words.isEmpty ? nil : Line(words.joined(separator: ", "))
  }

  /// The number of subscriptions that the filter shows, of all, or `nil` if it shows all.
  private var shownCount: String? {
    guard viewer.hasSubscriptions, !viewer.viewed.excerpt.hasAllSubscriptions else { return nil }
    let shown = CountText.number(viewer.viewed.shownSubscriptions)
    return "\(shown) of \(CountText.number(viewer.log.subscriptionCount))"
  }

  private var filterText: String {
    let filter = viewer.viewed.arrangement.filter
    let leaks = viewer.viewed.verdict.isWhole ? "leaks" : "leaks and still active"
    let words = [filter.leaksOnly ? leaks : "", filter.text].filter { !$0.isEmpty }
    return words.joined(separator: " ")
  }

  private var title: String {
    let logs = viewer.log.logs
    guard let first = logs.first else { return ProgramInfo.name }
    let title = logs.count > 1 ? CountText.make(logs.count, "log") : first.title
    return viewer.compared.map { "\($0.side.letter) \(title)" } ?? title
  }

  private var state: Line? {
    let reading = viewer.feed.reading
    let page = viewer.page
    if let problem = reading.problem { return Line(page.safe(problem), Glyphs.suspectStyle) }
    if reading.change != nil { return Line("changed on disk", Glyphs.suspectStyle) }
    if reading.follows {
      if viewer.feed.isFrozen {
        let count = viewer.feed.held.map { $0.viewed.log.records - viewer.log.records } ?? 0
        return Line(
          "frozen, \(CountText.number(max(0, count))) more", Style(color: .yellow, isBold: true))
      }
      if viewer.log.logs.isEmpty {
        let text = reading.bytesTotal > 0 ? "no trace log yet" : "waiting for the log"
        return Line(text, Style(color: .yellow))
      }
      if viewer.log.logs.allSatisfy({ $0.end != nil }) { return Line("ended", .dim) }
      if reading.isGone { return Line("the file is gone", Style(color: .yellow, isBold: true)) }
      return Line(
        viewer.timeline.keepsEnd || viewer.timeline.fitsAll ? "live" : "live, not at the end",
        Style(color: .green, isBold: true))
    }
    if !reading.isComplete { return progress(reading) }
    return doubts
  }

  /// The reasons that the shown log does not prove the absence of faults.
  private var doubts: Line? {
    let doubts = viewer.viewed.verdict.doubts.filter { !$0.isEmpty }
    guard !doubts.isEmpty else { return nil }
    var reasons: [String] = []
    for reason in doubts.joined().map(LogSentences.shortDoubt) where !reasons.contains(reason) {
      reasons.append(reason)
    }
    let logs = viewer.log.logs.count
    var text = reasons.joined(separator: ", ")
    if logs > 1 { text += " (\(CountText.number(doubts.count)) of \(CountText.number(logs)))" }
    if viewer.terminal.columns >= 60 { text = "inconclusive: " + text }
    let room = max(6, viewer.terminal.columns - 8)
    return Line(viewer.page.cut(text, to: room), Style(color: .yellow, isBold: true))
  }

  private func progress(_ reading: ReadingState) -> Line {
    let width = 10
    let full = Int(reading.share * Double(width))
    let glyphs = viewer.page.glyphs
    var line = Line("reading ", .dim)
    line.append(String(repeating: glyphs.full, count: full), Style(color: .cyan))
    line.append(String(repeating: glyphs.empty, count: width - full), .dim)
    line.append(" \(Int(reading.share * 100)) %")
    return line
  }
}
