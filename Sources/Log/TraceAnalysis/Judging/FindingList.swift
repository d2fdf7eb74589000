/// Some findings of a verdict, which shares their memory. There may be a million of them.
package struct FindingList: RandomAccessCollection, Sendable {
  private let all: [Finding]
  /// The indices in `all`.
  private let numbers: [UInt32]

  /// Creates a list of the findings with some indices.
  init(_ all: [Finding], _ numbers: [UInt32]) {
    self.all = all
    self.numbers = numbers
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { numbers.count }
  package subscript(index: Int) -> Finding { all[Int(numbers[index])] }

  /// Returns the list of those that match, in their order.
  func only(_ isIncluded: (Finding) -> Bool) -> FindingList {
    FindingList(all, numbers.filter { isIncluded(all[Int($0)]) })
  }

  /// Returns the list with retain cycles first, and then with the oldest subscription first.
  func oldestFirst(in log: LogAnalysis) -> FindingList {
    func precedes(_ left: UInt32, _ right: UInt32) -> Bool {
      // Whole findings would be retained and released.
      let isCycle = (all[Int(left)].isCycle, all[Int(right)].isCycle)
      if isCycle.0 != isCycle.1 { return isCycle.0 }
      let (left, right) = (all[Int(left)].lifecycle, all[Int(right)].lifecycle)
      return (log.lifecycles.origin(at: left).start, left)
        < (log.lifecycles.origin(at: right).start, right)
    }
    // Rules look at the oldest subscription first, so the order is nearly always right.
    let isSorted = zip(numbers, numbers.dropFirst()).allSatisfy { !precedes($1, $0) }
    return isSorted ? self : FindingList(all, numbers.sorted(by: precedes))
  }
}
