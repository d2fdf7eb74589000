import TestSupport
import Testing

@testable import TraceFormat

@Suite("Roots of leaks")
struct LeakRootsTests {
  private func roots(_ parents: [Int?]) -> [String] {
    LeakRoots.of(parents.count) { parents[$0] }.map { "\($0.root) \($0.consequences)" }
  }

  @Test("Roots are the leaks that no other leak explains")
  func trees() {
    #expect(roots([]) == [])
    #expect(roots([nil, nil]) == ["0 []", "1 []"])
    #expect(roots([nil, 0, 1, 1, nil, 4]) == ["0 [1, 2, 3]", "4 [5]"])
    #expect(roots([1, 2, nil]) == ["2 [0, 1]"])
  }

  @Test("The first member of a circle is its root, and no member is lost")
  func circles() {
    #expect(roots([0]) == ["0 []"])
    #expect(roots([1, 0]) == ["0 [1]"])
    #expect(roots([2, 0, 1, 1]) == ["0 [1, 2, 3]"])
    #expect(roots([3, 2, 1, 0, 2]) == ["0 [3]", "1 [2, 4]"])
  }

  @Test("Each random leak belongs to exactly one root that its parents lead to")
  func random() {
    var numbers = FixedNumbers(seed: 5)
    for _ in 0..<500 {
      let count = Int.random(in: 1...30, using: &numbers)
      let parents = (0..<count).map { _ in
        Bool.random(using: &numbers) ? Int.random(in: 0..<count, using: &numbers) : nil
      }
      let found = LeakRoots.of(count) { parents[$0] }
      #expect(found.flatMap { [$0.root] + $0.consequences }.sorted() == Array(0..<count))
      for (root, consequences) in found {
        for consequence in consequences {
          var current = consequence
          var isReached = false
          for _ in 0...count {
            guard let next = parents[current] else { break }
            current = next
            isReached = isReached || current == root
          }
          #expect(isReached)
        }
      }
    }
  }

  @Test("Finding roots takes linear time in a chain and in a tree")
  func cost() {
    for parent in [{ $0 > 0 ? $0 - 1 : nil }, { $0 > 0 ? 0 : nil }] as [(Int) -> Int?] {
      let growth = costGrowth(from: 10_000, to: 100_000) { count in
        #expect(LeakRoots.of(count) { index in parent(index) }.count == 1)
        #expect(
          LeakRoots.of(count) { index in parent(count - 1 - index).map { count - 1 - $0 } }.count
            == 1)
      }
      #expect(growth < 40)
    }
  }
}
