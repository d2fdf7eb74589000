import TestSupport
import Testing

@testable import TraceAnalysis
@testable import TraceFormat

@Suite("ElementIndex")
struct ElementIndexTests {
  private func times(_ analysis: LogAnalysis) throws -> [[UInt64]] {
    var times = [[UInt64]](repeating: [], count: analysis.lifecycles.count)
    for event in try RandomLog.events(of: analysis) where event.kind == .next {
      if let lifecycle = event.lifecycle { times[lifecycle].append(event.time.count) }
    }
    return times
  }

  @Test(
    "An element index of a random log matches a plain loop",
    arguments: [
      (seed: 1, files: 1, disorder: 0, step: 1000), (2, 1, 0, 3_000_000_000), (3, 3, 0, 1000),
      (4, 2, 5000, 100), (5, 1, 1_000_000, 1), (6, 1, 0, 0), (7, 2, 900_000_000, 700_000_000),
    ])
  func randomLogs(seed: UInt64, files: Int, disorder: Int, step: Int) throws {
    let log = RandomLog(seed: seed, files: files, disorder: disorder, step: step)
    let snapshot = try #require(try snapshot(of: log.files))
    let analysis = snapshot.analysis
    let index = snapshot.elements
    let times = try times(analysis)
    #expect(index.total == times.reduce(0) { $0 + $1.count })
    var numbers = FixedNumbers(seed: seed)
    let end = analysis.duration.count
    // A walk in any order finds the same elements as separate searches.
    let indices = Array(analysis.lifecycles.indices)
    for order in [indices, indices.reversed(), indices.shuffled(using: &numbers)] {
      var gaps: [UInt64] = []
      index.visitGaps(of: order) { gaps.append($0.length) }
      #expect(gaps == order.flatMap { zip(times[$0].dropFirst(), times[$0]).map { $0 - $1 } })
    }
    for lifecycle in indices {
      let all = times[lifecycle]
      var starts: [UInt64] = []
      var gaps: [UInt64] = []
      index.visitGaps(of: [lifecycle]) { gap in
        #expect(gap.member == lifecycle)
        starts.append(gap.start.count)
        gaps.append(gap.length)
      }
      #expect(starts == all.dropLast())
      #expect(gaps == zip(all.dropFirst(), all).map { $0 - $1 })
      for _ in 0..<8 {
        let some = UInt64.random(in: 0...end, using: &numbers)
        let time = Bool.random(using: &numbers) ? all.randomElement(using: &numbers) ?? some : some
        let other = UInt64.random(in: 0...end, using: &numbers)
        #expect(
          index.next(after: Nanoseconds(time), of: lifecycle)?.count == all.first { $0 > time })
        #expect(
          index.previous(before: Nanoseconds(time), of: lifecycle)?.count == all.last { $0 < time })
        #expect(
          index.count(of: lifecycle, from: Nanoseconds(time), before: Nanoseconds(other))
            == all.count { $0 >= time && $0 < other })
        if time <= other {
          let range = TimeRange(from: Nanoseconds(time), through: Nanoseconds(other))
          let inside = all.filter { (time...other).contains($0) }
          var gaps: [UInt64] = []
          index.visitGaps(of: [lifecycle], in: range) { gaps.append($0.length) }
          #expect(gaps == zip(inside.dropFirst(), inside).map { $0 - $1 })
        }
        let scale = TimeScale(
          start: Nanoseconds(time), duration: Nanoseconds(other / 3),
          columns: Int.random(in: 1...300, using: &numbers))
        var cells = [Int](repeating: 0, count: scale.columns)
        var plain = cells
        index.add(lifecycle, scale, to: &cells)
        for element in all where element >= time && element <= time + other / 3 {
          plain[scale.column(of: Nanoseconds(element))] += 1
        }
        #expect(cells == plain)
      }
    }
  }

  @Test("An index of a log that grows in small steps has few pieces")
  func joining() {
    var builder = ElementIndexBuilder()
    var numbers = FixedNumbers(seed: 9)
    var known: [UInt64: [UInt64]] = [:]
    for round in 0..<3000 {
      var next = ElementIndexBuilder()
      for _ in 0..<4 {
        let id = UInt64.random(in: 1...20, using: &numbers)
        let time = UInt64.random(in: 0...1_000_000, using: &numbers) + UInt64(round) * 5_000_000
        known[id, default: []].append(time)
        if let id = SubscriptionID(id) {
          next.noteElement(
            id, Nanoseconds(time), .init(line: 1, offset: round * 100, length: 9))
        }
      }
      next.finish()
      builder.append(next)
    }
    #expect(builder.elements.count < 40)
    for (id, times) in known {
      let found = builder.elements.flatMap { piece in piece.row(of: id).map { piece.time($0) } }
      #expect(found.sorted() == times.sorted())
      for piece in builder.elements {
        let row = piece.row(of: id).map { piece.time($0) }
        #expect(row == row.sorted())
      }
    }
  }

  @Test(
    "The start of a column is the first time that falls into it",
    arguments: [1, 7, 250, 100_000])
  func borders(columns: Int) {
    for duration in [1, 10, 999, 1 << 40, UInt64.max / 2] {
      for start in [0, 12_345, 1 << 50] as [UInt64] {
        let scale = TimeScale(
          start: Nanoseconds(start), duration: Nanoseconds(duration), columns: columns)
        let borders = ScaleColumns(scale, offset: 1000)
        let last = scale.columns - 1
        for column in [1, 2, last / 2, last] where column > 0 && column <= last {
          let time = borders.start(of: column)
          #expect(borders.column(of: time) >= column)
          if let times = borders.times, time > times.lowerBound {
            #expect(borders.column(of: time - 1) < column)
          }
        }
      }
    }
  }

  @Test("An element index accepts numbers and times of any size")
  func extremes() throws {
    let text = SampleLog.make([
      SampleLog.next(Int.max, "a", at: 5, "x"), SampleLog.next(1, "a", at: Int.max, "x"),
      SampleLog.next(Int.max, "a", at: 9, "x"),
    ])
    let snapshot = try #require(
      try snapshot(of: [LogSource(name: "x", bytes: Array(text.utf8))]))
    #expect(snapshot.elements.total == 3)
    #expect(snapshot.elements.next(after: Nanoseconds(5), of: 0) == Nanoseconds(9))
    #expect(snapshot.elements.next(after: .zero, of: 1) == Nanoseconds(UInt64(Int.max)))
    #expect(snapshot.elements.next(after: Nanoseconds(.max), of: 1) == nil)
  }
}
