import Testing

@testable import ViewerConsole

@Suite("The tree of who waits for whom")
struct WaitTreeTests {
  /// Returns a tree of tasks from 0 with the tasks that each of them waits for.
  private func tree(
    _ waits: [[Int]], roots: [Int], hidden: Set<Int> = [], kinds: [Int: String] = [:]
  ) -> WaitTree {
    WaitTree(
      roots: roots, waits: { waits[$0] }, isShown: { !hidden.contains($0) },
      kind: { kinds[$0] })
  }

  /// Returns rows as their indented numbers; a repeated one has an asterisk.
  private func text(_ tree: WaitTree) -> [String] {
    tree.rows.map { row in
      String(repeating: " ", count: row.depth) + "\(row.task)" + (row.isRepeated ? "*" : "")
        + (row.others.isEmpty ? "" : " +\(row.others)")
    }
  }

  @Test("A task comes before those that it waits for")
  func order() {
    #expect(text(tree([[1, 2], [3], [], []], roots: [0])) == ["0", " 1", "  3", " 2"])
  }

  @Test("The lines before a row lead to the last child of each task, and not past it")
  func branches() {
    let tree = tree([[1, 2], [3, 4], [5], [], [], []], roots: [0])
    #expect(text(tree) == ["0", " 1", "  3", "  4", " 2", "  5"])
    #expect(
      tree.rows.indices.map(tree.branches) == [
        [], [.fork], [.line, .fork], [.line, .last], [.last], [.none, .last],
      ])
  }

  @Test("A task that several wait for has its waits only once")
  func repeated() {
    let tree = tree([[2], [2], [3], []], roots: [0, 1])
    #expect(text(tree) == ["0", " 2", "  3", "1", " 2*"])
    #expect(tree.rows.indices.allSatisfy { !tree.closesCircle($0) })
  }

  @Test("The row that closes a circle is recognized")
  func circle() {
    let tree = tree([[1], [2], [1]], roots: [0])
    #expect(text(tree) == ["0", " 1", "  2", "   1*"])
    #expect(tree.rows.indices.filter(tree.closesCircle) == [3])
    #expect(text(self.tree([[0]], roots: [0])) == ["0"])
  }

  @Test("The tasks that a hidden task waits for take its place")
  func hidden() {
    #expect(text(tree([[1], [2], []], roots: [0], hidden: [1])) == ["0", " 2"])
  }

  @Test("Equal tasks share a row under each task")
  func equal() {
    let kinds = [1: "x", 2: "x", 3: "y", 4: "x", 5: "x"]
    let tree = tree([[1, 2, 3], [], [], [], [], []], roots: [0, 4, 5], kinds: kinds)
    #expect(text(tree) == ["0", " 1 +[2]", " 3", "4 +[5]"])
    #expect(tree.rows.map(\.count) == [1, 2, 1, 2])
  }

  @Test("Tasks that wait for equal tasks share a row at every level")
  func equalTrees() {
    // 0 and 1 wait for two leaves each, also through hidden tasks. 2 waits for one.
    let waits = [[10, 4], [11, 6], [8], [], [], [], [], [], [], [], [3], [5]]
    let kinds = Dictionary(uniqueKeysWithValues: waits.indices.map { ($0, $0 < 3 ? "a" : "b") })
    let tree = tree(waits, roots: [0, 1, 2], hidden: [10, 11], kinds: kinds)
    #expect(text(tree) == ["0 +[1]", " 3 +[4]", "2", " 8"])
    #expect(tree.rows.map(\.count) == [4, 2, 1, 1])
  }

  @Test("Tasks that wait for the same task share a row, and tasks on circles don't")
  func equalWaits() {
    let kinds = [0: "a", 1: "a", 2: "a", 4: "a", 5: "a"]
    let tree = tree([[3], [3], [3], [], [5], [4]], roots: [0, 1, 2, 4], kinds: kinds)
    #expect(text(tree) == ["0 +[1, 2]", " 3", "4", " 5", "  4*"])
    #expect(tree.rows.map(\.count) == [4, 0, 1, 1, 0])
    #expect(tree.rows.indices.filter(tree.closesCircle) == [4])
  }

  @Test("Fifty thousand tasks in one chain and below one task have few rows")
  func large() {
    let count = 50_000
    let chain = WaitTree(
      roots: [0], waits: { $0 + 1 < count ? [$0 + 1] : [] }, isShown: { _ in true },
      kind: { _ in 0 })
    #expect(chain.rows.count == count)
    let fan = WaitTree(
      roots: [0], waits: { $0 == 0 ? Array(1...count) : [] }, isShown: { _ in true },
      kind: { _ in 0 })
    #expect(fan.rows.map(\.count) == [1, count])
    #expect(fan.rows.last?.others.count == count - 1)
  }
}
