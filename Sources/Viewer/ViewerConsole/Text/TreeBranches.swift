/// The signs before the lines of a tree that are listed in order, each below its parent.
package enum TreeBranches {
  /// Returns the branches of each line, from the outermost level to its own. A line at depth 0 has
  /// none.
  package static func of(depths: [Int]) -> [[TreeBranch]] {
    var branches = [[TreeBranch]](repeating: [], count: depths.count)
    // From below, a level is open if a later line at that level has the same parent.
    var isOpen: [Bool] = []
    for index in depths.indices.reversed() {
      let depth = depths[index]
      while isOpen.count <= depth { isOpen.append(false) }
      for level in isOpen.indices.dropFirst(depth + 1) { isOpen[level] = false }
      if depth > 0 {
        branches[index] =
          isOpen[1..<depth].map { $0 ? .line : .none } + [isOpen[depth] ? .fork : .last]
      }
      isOpen[depth] = true
    }
    return branches
  }
}

extension Glyphs {
  /// Returns the signs of branches as text.
  package func text(_ branches: [TreeBranch]) -> String {
    branches.reduce(into: "") { $0 += sign($1) }
  }
}
