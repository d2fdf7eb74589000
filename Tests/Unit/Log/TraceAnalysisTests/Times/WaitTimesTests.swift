import TestSupport
import Testing

@testable import TraceAnalysis
@testable import TraceFormat

@Suite("The times of waits")
struct WaitTimesTests {
  private func times(_ changes: [(id: UInt64, change: WaitChange)], parts: Int) -> WaitTimes {
    var whole = WaitTimes()
    let size = max(1, changes.count / parts)
    for start in stride(from: 0, to: changes.count, by: size) {
      var part = WaitTimes()
      for (offset, entry) in changes[start..<min(start + size, changes.count)].enumerated() {
        guard let id = SubscriptionID(entry.id) else { continue }
        part.note(
          entry.change, of: id,
          TraceRecord.Location(line: start + offset + 1, offset: (start + offset) * 80, length: 79))
      }
      whole.append(part)
    }
    return whole.finished
  }

  @Test(
    "The changes of a task are sorted, regardless of the parts and of their order",
    arguments: 0..<24 as Range<UInt64>)
  func parts(seed: UInt64) {
    var numbers = FixedNumbers(seed: seed)
    var changes: [(id: UInt64, change: WaitChange)] = []
    // Long logs have times that don't fit into four bytes.
    let step: UInt64 = seed % 3 == 0 ? 1 << 34 : 1000
    let disorder = seed % 2 == 0 ? 0 : step * 3
    for number in 0..<300 as Range<UInt64> {
      let late = UInt64.random(in: 0...disorder, using: &numbers)
      let time = Nanoseconds(number * step + late)
      let id = UInt64.random(in: 1...5, using: &numbers) * (seed % 4 == 1 ? 1 << 30 : 1)
      changes.append(
        (
          id,
          Bool.random(using: &numbers) ? WaitChange(resumedAt: time) : WaitChange(.group, at: time)
        ))
    }
    for parts in [1, 2, 7, 300] {
      let times = times(changes, parts: parts)
      for id in Set(changes.map(\.id)) {
        let expected = changes.filter { $0.id == id }.map(\.change.number).sorted()
        let found = times.changes(of: id)
        #expect((0..<found.count).map { found[$0].number } == expected)
        var visited: [UInt64] = []
        found.forEach(in: 0..<found.count) { visited.append($0.number) }
        #expect(visited == expected)
        for time in [0, 1, 70 * step, 150 * step + 1, 400 * step, .max] {
          let index = expected.firstIndex { $0 >> 3 >= time } ?? expected.count
          #expect(found.firstIndex(from: time) == index)
        }
      }
      #expect(times.changes(of: 999).count == 0)
    }
  }
}
