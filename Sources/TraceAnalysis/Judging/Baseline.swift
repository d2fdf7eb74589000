/// Findings that a project knows and lives with for the time being: a run fails on what is new, and on what is not true any
/// more.
///
/// Entries name a place in the source without its line, so that they hold while code moves. The count of an entry is a ceiling
/// that is only ever lowered, but by whoever writes the baseline anew.
package struct Baseline: Equatable, Sendable {
  package struct Entry: Equatable, Sendable {
    package let fingerprint: Fingerprint
    /// How many findings it covers; at least one.
    package var count: Int
    /// Why they are lived with; empty where nobody said.
    package var reason: String

    package init(_ fingerprint: Fingerprint, count: Int, reason: String = "") {
      self.fingerprint = fingerprint
      self.count = count
      self.reason = reason
    }
  }

  /// An entry that covers more than there is.
  package struct Stale: Equatable, Sendable {
    package let entry: Entry
    package let found: Int
  }

  /// What is left of findings when those that are known are taken away.
  package struct Comparison: Sendable {
    package let findings: [Finding]
    /// How many are known.
    package let known: Int
    /// In the order of the entries; none where logs are not whole.
    package let stale: [Stale]
  }

  /// Sorted, each fingerprint once.
  package private(set) var entries: [Entry]

  /// - Parameter entries: each of a fingerprint of its own; of two that share one, the first counts.
  package init(_ entries: [Entry] = []) {
    let first = Dictionary(
      entries.map { ($0.fingerprint, $0) }, uniquingKeysWith: { first, _ in first })
    self.entries = first.values.sorted { $0.fingerprint < $1.fingerprint }
  }

  /// Takes away what is known. Where there are more findings than an entry covers, those that are left are the youngest, and
  /// first those that the log does not prove.
  ///
  /// - Parameters:
  ///   - isWhole: whether nothing is missing in the logs, without which no entry can be called stale.
  ///   - covers: whether findings of a place were looked for; of others nothing is known.
  package func compare(
    _ findings: [Finding], in log: LogAnalysis, isWhole: Bool,
    covers: (Fingerprint) -> Bool = { _ in true }
  ) -> Comparison {
    // Most checks have no baseline, and some of them very many findings.
    guard !entries.isEmpty else { return Comparison(findings: findings, known: 0, stale: []) }
    let counts = Dictionary(
      entries.map { ($0.fingerprint, $0.count) }, uniquingKeysWith: { first, _ in first })
    let places = Dictionary(grouping: findings.indices) { Fingerprint(findings[$0], in: log) }
    var known: Set<Int> = []
    for (fingerprint, members) in places {
      guard let count = counts[fingerprint] else { continue }
      let order = members.sorted { left, right in
        let (first, second) = (findings[left], findings[right])
        if first.isProven != second.isProven { return first.isProven }
        let starts = (log.lifecycles[first.lifecycle].start, log.lifecycles[second.lifecycle].start)
        return starts.0 == starts.1 ? left < right : starts.0 < starts.1
      }
      known.formUnion(order.prefix(count))
    }
    let stale = entries.map { Stale(entry: $0, found: places[$0.fingerprint]?.count ?? 0) }
      .filter { isWhole && $0.found < $0.entry.count && covers($0.entry.fingerprint) }
    return Comparison(
      findings: findings.indices.filter { !known.contains($0) }.map { findings[$0] },
      known: known.count, stale: stale)
  }

  /// Covers findings and nothing else; reasons of entries that stay are kept.
  ///
  /// - Parameters:
  ///   - isWhole: whether nothing is missing in the logs; where something is, no entry goes and no count is lowered.
  ///   - covers: whether findings of a place were looked for; entries of others stay.
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

  /// Without what is stale: counts lowered to what was found, entries of nothing dropped.
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
