@testable import InteractiveView
@testable import TraceAnalysis
@testable import TraceFormat
@testable import TraceWords
@testable import ViewerConsole

/// A painter of bars that checks every subscription for every column.
struct NaivePainter {
  private let log: RandomLog
  private let analysis: LogAnalysis
  private let glyphs: Glyphs
  let scale: TimeScale

  init(log: RandomLog, viewer: Viewer, scale: TimeScale) {
    self.log = log
    self.scale = scale
    analysis = viewer.log
    glyphs = viewer.page.glyphs
  }

  private var windowEnd: UInt64 { scale.start.after(scale.duration.count).count }

  private func isShown(_ time: UInt64) -> Bool { time >= scale.start.count && time < windowEnd }

  private func column(_ time: UInt64) -> Int { scale.column(of: Nanoseconds(time)) }

  /// Returns the signs that a row may show in each column.
  func bars(_ members: some Collection<Int>) -> [Set<String>] {
    let lives = zip(members, log.lives(of: members, in: analysis)).map { index, life in
      let last = life.end?.time ?? log.last
      return (
        life: life, state: analysis.lifecycles[index].state, last: last,
        from: column(life.start), to: column(last)
      )
    }
    var elements = Array(repeating: 0, count: scale.columns)
    for time in lives.flatMap(\.life.elements) where isShown(time) { elements[column(time)] += 1 }
    return (0..<scale.columns).map { column in
      var ends: [(glyph: String, weight: Int)] = []
      var hasStart = false
      var hasLine = false
      for (life, state, last, from, to) in lives {
        let isOut = life.start >= windowEnd || last < scale.start.count
        if !isOut, from < to, (from...to).contains(column) { hasLine = true }
        if isShown(life.start), from == column { hasStart = true }
        guard isShown(last), to == column else { continue }
        ends.append(
          life.end == nil ? (glyphs.suspect, 2) : (glyphs[state], state == .failed ? 1 : 0))
      }
      let maxCount = ends.map(\.weight).max() ?? 0
      if ends.count == 1 || maxCount > 0 {
        return Set(ends.filter { $0.weight == maxCount }.map(\.glyph))
      }
      if let sign = glyphs.element(count: elements[column]) { return [sign] }
      if !ends.isEmpty { return Set(ends.map(\.glyph)) }
      return [hasStart ? glyphs.start : hasLine ? glyphs.line : " "]
    }
  }

  /// Returns the number of live subscriptions in each column: the larger of the numbers at its two
  /// borders, or one if a subscription was alive only in between.
  func alive(_ members: some Collection<Int>) -> [Int] {
    let lives = log.lives(of: members, in: analysis)
    func alive(at time: UInt64) -> Int {
      lives.count { $0.start <= time && $0.end.map { $0.time > time } ?? true }
    }
    func border(_ column: Int) -> UInt64 {
      let (high, low) = scale.duration.count.multipliedFullWidth(by: UInt64(column))
      return scale.start.after(UInt64(scale.columns).dividingFullWidth((high, low)).quotient).count
    }
    return (0..<scale.columns).map { column in
      let (left, right) = (border(column), border(column + 1))
      let maxCount = max(alive(at: left), alive(at: right))
      let isAny = lives.contains { $0.start < right && $0.end.map { $0.time >= left } ?? true }
      return maxCount > 0 ? maxCount : isAny ? 1 : 0
    }
  }

  /// Returns the columns in which a subscription failed.
  func failures(_ members: some Collection<Int>) -> Set<Int> {
    let times = log.lives(of: members, in: analysis).compactMap(\.end)
      .filter { $0.event == "failed" && isShown($0.time) }
    return Set(times.map { column($0.time) })
  }
}
