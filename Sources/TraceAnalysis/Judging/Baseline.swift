/// Findings that a project knows and accepts for now. A run fails on new findings, and on entries
/// that are no longer true.
///
/// Entries name a source location without its line, so that they stay valid while code moves. The
/// count of an entry is an upper limit that only goes down, unless somebody writes the baseline
/// again.
package struct Baseline: Equatable, Sendable {
  package struct Entry: Equatable, Sendable {
    package let fingerprint: Fingerprint
    /// The number of findings that the entry covers; at least one.
    package var count: Int
    /// The reason why the findings are accepted; empty if nobody gave one.
    package var reason: String

    package init(_ fingerprint: Fingerprint, count: Int, reason: String = "") {
      self.fingerprint = fingerprint
      self.count = count
      self.reason = reason
    }
  }

  /// An entry that covers more findings than there are.
  package struct Stale: Equatable, Sendable {
    package let entry: Entry
    package let found: Int
  }

  /// The findings that remain without the known ones.
  package struct Comparison: Sendable {
    package let findings: [Finding]
    /// The number of known findings.
    package let known: Int
    /// The stale entries in the order of the entries; none if the logs are not whole.
    package let stale: [Stale]
  }

  /// The entries, sorted, with each fingerprint once.
  package private(set) var entries: [Entry]

  /// Creates a baseline.
  ///
  /// - Parameter entries: The entries. Of two entries with the same fingerprint, the first one
  ///   counts.
  package init(_ entries: [Entry] = []) {
    let first = Dictionary(
      entries.map { ($0.fingerprint, $0) }, uniquingKeysWith: { first, _ in first })
    self.entries = first.values.sorted { $0.fingerprint < $1.fingerprint }
  }

  /// Returns the findings that the baseline does not know.
  ///
  /// If there are more findings than an entry covers, it covers proven findings before unproven
  /// ones, and those of older subscriptions before those of younger ones.
  ///
  /// - Parameters:
  ///   - isWhole: True if nothing is missing in the logs. Otherwise, no entry can be called stale.
  ///   - covers: A function that reports whether the run looked for findings with a fingerprint.
  ///     Nothing is known about others.
  package func compare(
    _ findings: [Finding], in log: LogAnalysis, isWhole: Bool,
    covers: (Fingerprint) -> Bool = { _ in true }
  ) -> Comparison {
    // Most checks have no baseline, and some of them have very many findings.
    guard !entries.isEmpty else { return Comparison(findings: findings, known: 0, stale: []) }
    let counts = Dictionary(
      entries.map { ($0.fingerprint, $0.count) }, uniquingKeysWith: { first, _ in first })
    let groups = Dictionary(grouping: findings.indices) { Fingerprint(findings[$0], in: log) }
    var known: Set<Int> = []
    for (fingerprint, members) in groups {
      guard let count = counts[fingerprint] else { continue }
      let order = members.sorted { left, right in
        let (first, second) = (findings[left], findings[right])
        if first.isProven != second.isProven { return first.isProven }
        let starts = (log.lifecycles[first.lifecycle].start, log.lifecycles[second.lifecycle].start)
        return starts.0 == starts.1 ? left < right : starts.0 < starts.1
      }
      known.formUnion(order.prefix(count))
    }
    let stale = entries.map { Stale(entry: $0, found: groups[$0.fingerprint]?.count ?? 0) }
      .filter { isWhole && $0.found < $0.entry.count && covers($0.entry.fingerprint) }
    return Comparison(
      findings: findings.indices.filter { !known.contains($0) }.map { findings[$0] },
      known: known.count, stale: stale)
  }

  /// Returns a baseline that covers the findings and nothing else. Entries that stay keep their
  /// reasons.
  ///
  /// - Parameters:
  ///   - isWhole: True if nothing is missing in the logs. Otherwise, no entry goes and no count is
  ///     lowered.
  ///   - covers: A function that reports whether the run looked for findings with a fingerprint.
  ///     Entries with other fingerprints stay.
  package func accepting(
    _ findings: [Finding], in log: LogAnalysis, isWhole: Bool,
    covers: (Fingerprint) -> Bool = { _ in true }
  ) -> Baseline {
    var counts: [Fingerprint: Int] = [:]
    for finding in findings { counts[Fingerprint(finding, in: log), default: 0] += 1 }
    for entry in entries where !isWhole || !covers(entry.fingerprint) {
      counts[entry.fingerprint] = max(counts[entry.fingerprint] ?? 0, entry.count)
    }
    let reasons = Dictionary(
      entries.map { ($0.fingerprint, $0.reason) }, uniquingKeysWith: { first, _ in first })
    return Baseline(counts.map { Entry($0.key, count: $0.value, reason: reasons[$0.key] ?? "") })
  }

  /// Returns the baseline without its stale parts. It lowers counts to the number found, and drops
  /// entries without findings.
  package func pruned(of stale: [Stale]) -> Baseline {
    let found = Dictionary(
      stale.map { ($0.entry.fingerprint, $0.found) }, uniquingKeysWith: { first, _ in first })
    return Baseline(
      entries.compactMap { entry in
        var entry = entry
        entry.count = min(entry.count, found[entry.fingerprint] ?? entry.count)
        return entry.count > 0 ? entry : nil
      })
  }
}
