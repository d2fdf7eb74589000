import TraceAnalysis

/// The findings about each subscription, and those that have it as a consequence.
///
/// It is one array, because a table with an array for each subscription takes 50 ms to free when a
/// log has 200,000 findings, and the thread that draws may have to wait for it.
struct SubscriptionFindings: Sendable {
  private struct Entry {
    let subscription: UInt32
    let finding: UInt32
  }

  /// The entries, in the order of subscriptions and then of findings.
  private let entries: [Entry]

  init(_ findings: [Finding]) {
    var entries: [Entry] = []
    entries.reserveCapacity(findings.count)
    for (number, finding) in findings.enumerated() {
      func add(_ index: Int) {
        entries.append(
          Entry(subscription: UInt32(clamping: index), finding: UInt32(clamping: number)))
      }
      add(finding.lifecycle)
      finding.others.forEach(add)
      finding.consequences.forEach(add)
    }
    entries.sort { ($0.subscription, $0.finding) < ($1.subscription, $1.finding) }
    self.entries = entries
  }

  /// Returns the indices of the findings about a subscription, ascending.
  func indices(of subscription: Int) -> [Int] {
    let first = entries.partitionPoint { $0.subscription >= subscription }
    return entries[first...].prefix { $0.subscription == subscription }.map { Int($0.finding) }
  }
}
