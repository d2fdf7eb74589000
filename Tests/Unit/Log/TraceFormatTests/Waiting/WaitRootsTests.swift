import TestSupport
import Testing
import TraceFormat

@Suite("The roots of waits")
struct WaitRootsTests {
  @Test(
    "A description begins with tasks that nobody waits for, and with one task of each circle",
    arguments: [
      ([[1], [2], [], []], [0, 3]), ([[1, 2], [], [], []], [0, 3]),
      ([[2], [3], [1], [2], [4]], [0, 4]), ([[], [2], [1]], [0, 1]), ([[1], [0]], [0]), ([], []),
    ] as [([[Int]], [Int])])
  func roots(waits: [[Int]], roots: [Int]) {
    #expect(WaitRoots.roots(of: waits.indices) { waits[$0] } == roots)
  }

  @Test(
    "Each task can be reached from a root, regardless of what the tasks wait for",
    arguments: 0..<200)
  func reachable(seed: UInt64) {
    var random = FixedNumbers(seed: seed)
    let count = Int.random(in: 1...12, using: &random)
    let waits = (0..<count).map { _ in
      (0..<Int.random(in: 0..<3, using: &random)).map { _ in
        Int.random(in: 0..<count, using: &random)
      }
    }
    var reached: Set<Int> = []
    var open = WaitRoots.roots(of: waits.indices) { waits[$0] }
    while let index = open.popLast() {
      if reached.insert(index).inserted { open += waits[index] }
    }
    #expect(reached == Set(0..<count))
  }
}
