import TestSupport
import Testing
import TraceFormat

@testable import TraceAnalysis

@Suite("Lists of numbers in few bytes")
struct SortedTimesTests {
  @Test(
    "Sorted times are found as in an array, whether or not their distances fit into 4 bytes",
    arguments: [
      (0, 1), (1, 1), (63, 10), (64, 10), (65, 10), (1000, 7), (1000, 100_000_000),
      (200, 5_000_000_000), (130, UInt64.max / 200),
    ] as [(Int, UInt64)])
  func search(count: Int, step: UInt64) {
    var numbers = FixedNumbers(seed: UInt64(count) &+ step)
    var time: UInt64 = 3
    // Some times are equal.
    let times = (0..<count).map { _ in
      time += UInt64.random(in: 0...step, using: &numbers)
      return Nanoseconds(time)
    }
    let sorted = SortedTimes(times)
    #expect(Array(sorted) == times)
    let wanted = times + times.map { Nanoseconds($0.count - 1) } + [.zero, Nanoseconds(.max)]
    for time in wanted {
      #expect(sorted.count(before: time) == times.count { $0 < time })
      #expect(sorted.count(through: time) == times.count { $0 <= time })
    }
  }

  @Test(
    "A column has its numbers, whether or not their distances fit into 4 bytes",
    arguments: [
      [], [7], [0, 5, .max], [UInt64.max, .max - 1],
      [10, 10 + UInt64(UInt32.max)], [10, 11 + UInt64(UInt32.max)],
    ] as [[UInt64]])
  func column(numbers: [UInt64]) {
    let column = OffsetColumn(
      base: numbers.min() ?? 0, highest: numbers.max() ?? 0, count: numbers.count
    ) { append in
      for number in numbers { append(number) }
    }
    #expect(Array(column) == numbers)
    let sorted = OffsetColumn(column, sortedInRows: [0, UInt32(numbers.count)])
    #expect(Array(sorted) == numbers.sorted())
    for number in numbers + numbers.map({ $0 &+ 1 }) + [0] {
      let first = numbers.sorted().firstIndex { $0 >= number } ?? numbers.count
      #expect(sorted.firstIndex(in: 0..<numbers.count, from: number) == first)
    }
  }
}
