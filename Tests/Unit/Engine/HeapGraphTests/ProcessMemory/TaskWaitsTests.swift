import SwiftRuntime
import TestSupport
import Testing

@testable import HeapGraph
@testable import ProcessMemory

@Suite("Waits between tasks")
struct TaskWaitsTests {
  /// Returns tasks at the addresses 0, 10, 20, ..., with what each of them waits for.
  private static func waits(
    _ waits: [TaskRecord.Wait?], parents: [Int: Int] = [:]
  ) -> TaskWaits {
    TaskWaits(
      waits.enumerated().map { index, wait in
        TaskRecord(
          address: UInt(100 + index * 10), number: UInt64(index + 1), name: nil,
          status: TaskStatus(0x4000), wait: wait,
          parent: parents[index].map { UInt(100 + $0 * 10) }, code: [])
      })
  }

  private static func task(_ index: Int) -> TaskRecord.Wait { .task(UInt(100 + index * 10)) }

  @Test("A task that waits for another one leads to it")
  func chain() {
    let waits = Self.waits([Self.task(1), Self.task(2), .continuation(1), nil])
    #expect((0..<4).map(waits.waits) == [[1], [2], [], []])
    #expect(waits.roots == [0, 3])
    #expect(waits.cycles.isEmpty)
  }

  @Test("A task that waits for a group waits for its own children only")
  func groups() {
    let waits = Self.waits(
      [.group(1), .continuation(1), .continuation(2), nil], parents: [1: 0, 2: 0, 3: 2])
    #expect(waits.waits(of: 0) == [1, 2])
    #expect(waits.roots == [0, 3])
  }

  @Test("Tasks that wait for each other form a cycle, which begins with the first of them")
  func cycles() {
    let waits = Self.waits([Self.task(2), Self.task(3), Self.task(1), Self.task(2), Self.task(4)])
    // Task 0 leads to the cycle 1 -> 3 -> 2 -> 1, and task 4 waits for itself.
    #expect(waits.cycles == [[1, 3, 2], [4]])
    #expect(waits.roots == [0, 4])
  }

  @Test("A cycle that no other task waits for has a root")
  func closedCycle() {
    let waits = Self.waits([nil, Self.task(2), Self.task(1)])
    #expect(waits.cycles == [[1, 2]])
    #expect(waits.roots == [0, 1])
  }

  @Test("A group is part of a cycle only if none of its children can continue")
  func groupCycle() {
    let stuck = Self.waits([.group(1), Self.task(0)], parents: [1: 0])
    #expect(stuck.cycles == [[0, 1]])
    #expect(stuck.waits(of: 1) == [0])
    #expect(stuck.roots == [0])
    let other = Self.waits([.group(1), Self.task(0), .continuation(1)], parents: [1: 0, 2: 0])
    #expect(other.cycles.isEmpty)
    let others = Self.waits(
      [.group(1), Self.task(0), Self.task(3), Self.task(2)], parents: [1: 0, 2: 0])
    #expect(others.cycles == [[0, 1], [2, 3]])
  }

  @Test("A wait for a task that isn't in the census isn't followed")
  func missing() {
    let waits = Self.waits([.task(9999)])
    #expect(waits.waits(of: 0).isEmpty)
    #expect(waits.roots == [0])
  }

  @Test(
    "Each task can be reached from a root, regardless of what the tasks wait for",
    arguments: 0..<200)
  func reachable(seed: UInt64) {
    var random = FixedNumbers(seed: seed)
    let count = Int.random(in: 1...12, using: &random)
    let waits = Self.waits(
      (0..<count).map { _ in
        switch Int.random(in: 0..<4, using: &random) {
        case 0: nil
        case 1: .group(1)
        default: Self.task(Int.random(in: 0..<count, using: &random))
        }
      })
    var reached: Set<Int> = []
    var open = waits.roots
    while let index = open.popLast() {
      if reached.insert(index).inserted { open += waits.waits(of: index) }
    }
    #expect(reached == Set(0..<count))
  }
}
