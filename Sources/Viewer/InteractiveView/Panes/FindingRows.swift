import TraceAnalysis
import TraceFormat
import ViewerConsole

/// The rows of the list of findings: each mistake with its advice and, if it is unfolded, all
/// subscriptions that it is about and those that leak with them.
struct FindingRows: Sendable {
  struct Row: Equatable, Sendable {
    enum Content: Equatable, Sendable {
      case head, advice
      /// A subscription, as an index in the lifecycles, with the branches of the tree before it.
      case subscription(Int, branches: [TreeBranch])
    }

    /// The index in the list of findings.
    let finding: Int
    let content: Content
  }

  /// The identity of a finding or of one of its subscriptions across states of the log.
  private struct Key: Hashable {
    let rule: String
    let log: Int32
    let id: SubscriptionID
    var member: SubscriptionID?
  }

  private(set) var all: [Row] = []
  private(set) var list = ListPosition()
  private var unfolded: Set<Key> = []
  private var selectedKey: Key?
  private var isStale = true

  var selected: Row? { all.indices.contains(list.row) ? all[list.row] : nil }

  /// Forgets the rows, but not which of them are unfolded and selected.
  mutating func forget() { isStale = true }

  /// Lays out the rows of the shown findings, if that has not been done.
  mutating func layOut(_ viewed: ViewedLog, height: Int) {
    if isStale {
      isStale = false
      all = viewed.groups.indices.flatMap { rows(of: $0, viewed) }
      if let selectedKey, let row = row(of: selectedKey, viewed) {
        list.select(row, count: all.count)
      }
    }
    list.scroll(count: all.count, height: height)
  }

  private func rows(of index: Int, _ viewed: ViewedLog) -> [Row] {
    let head = [Row(finding: index, content: .head), Row(finding: index, content: .advice)]
    guard isUnfolded(index, viewed) else { return head }
    return head
      + viewed.groups[index].subordinates.map { member in
        Row(finding: index, content: .subscription(member.index, branches: member.branches))
      }
  }

  private func row(of key: Key, _ viewed: ViewedLog) -> Int? {
    var head = key
    head.member = nil
    return all.firstIndex { self.key(of: $0, viewed) == key }
      ?? all.firstIndex { self.key(of: $0, viewed) == head }
  }

  private func key(of index: Int, _ viewed: ViewedLog) -> Key? {
    guard let first = viewed.groups[index].findings.first else { return nil }
    let lifecycle = viewed.log.lifecycles[first.lifecycle]
    return Key(rule: first.rule, log: lifecycle.log, id: lifecycle.id)
  }

  private func key(of row: Row, _ viewed: ViewedLog) -> Key? {
    switch row.content {
    case .head: return key(of: row.finding, viewed)
    case .advice: return nil
    case .subscription(let index, _):
      var key = key(of: row.finding, viewed)
      key?.member = viewed.log.lifecycles[index].id
      return key
    }
  }

  // MARK: Selecting

  /// Selects a row. If that is a row of advice, selects the next row in the direction of the
  /// movement.
  mutating func move(_ movement: PaneMovement, _ viewed: ViewedLog, height: Int) {
    var target = max(0, min(movement.target(from: list.row, count: all.count), all.count - 1))
    let isForward = target > list.row
    if all.indices.contains(target), all[target].content == .advice {
      target += isForward && target + 1 < all.count ? 1 : -1
    }
    select(row: target, viewed, height: height)
  }

  /// Selects the head of a finding.
  mutating func select(finding: Int, _ viewed: ViewedLog, height: Int) {
    let head = Row(finding: finding, content: .head)
    if let row = all.firstIndex(of: head) { select(row: row, viewed, height: height) }
  }

  /// Selects a row, and shows the advice below it too.
  mutating func select(row: Int, _ viewed: ViewedLog, height: Int) {
    guard all.indices.contains(row) else { return }
    guard all[row].content != .advice else {
      return select(row: row - 1, viewed, height: height)
    }
    let rest = all[row].content == .head && height > 1 ? 1 : 0
    list.go(to: row + rest, count: all.count, height: height)
    list.go(to: row, count: all.count, height: height)
    selectedKey = key(of: all[row], viewed)
  }

  // MARK: Folding

  func isUnfolded(_ index: Int, _ viewed: ViewedLog) -> Bool {
    key(of: index, viewed).map(unfolded.contains) ?? false
  }

  /// Folds or unfolds a finding. Returns false if there is nothing to change.
  mutating func fold(_ index: Int, _ isFolded: Bool, _ viewed: ViewedLog, height: Int) -> Bool {
    guard viewed.groups[index].canUnfold, isUnfolded(index, viewed) == isFolded,
      let key = key(of: index, viewed)
    else { return false }
    if isFolded { unfolded.remove(key) } else { unfolded.insert(key) }
    selectedKey = key
    forget()
    layOut(viewed, height: height)
    select(finding: index, viewed, height: height)
    return true
  }

  /// Unfolds all findings, or folds all if any is unfolded. Returns false if none unfolds.
  mutating func toggleAllFolds(_ viewed: ViewedLog, height: Int) -> Bool {
    let current = selected?.finding
    let keys = viewed.groups.indices.filter { viewed.groups[$0].canUnfold }
      .compactMap { key(of: $0, viewed) }
    guard !keys.isEmpty else { return false }
    if keys.contains(where: unfolded.contains) {
      unfolded.subtract(keys)
    } else {
      unfolded.formUnion(keys)
    }
    forget()
    layOut(viewed, height: height)
    if let current { select(finding: current, viewed, height: height) }
    return true
  }
}

extension FindingGroup {
  /// A Boolean value that indicates whether the finding is about more than one subscription.
  var canUnfold: Bool {
    findings.count > 1 || findings.contains { !$0.others.isEmpty || !$0.consequences.isEmpty }
  }

  /// The subscriptions of the finding, each before those that leak with it. The only root is left
  /// out, because the finding itself stands for it.
  var subordinates: [(index: Int, branches: [TreeBranch])] {
    func level(_ indices: [Int], below: [TreeBranch]) -> [(index: Int, branches: [TreeBranch])] {
      indices.enumerated().map { number, index in
        (index, below + [number == indices.count - 1 ? .last : .fork])
      }
    }
    guard findings.count > 1 else {
      return level(findings.flatMap { $0.others + $0.consequences }, below: [])
    }
    return findings.enumerated().flatMap { number, finding in
      let isLast = number == findings.count - 1
      let below = level(finding.others + finding.consequences, below: [isLast ? .none : .line])
      return [(finding.lifecycle, [isLast ? .last : .fork])] + below
    }
  }
}
