/// Known findings that a project accepts for now. A run fails on new findings, and on entries that
/// are no longer true.
///
/// Entries name a source location without its line, so that they stay valid when code moves. The
/// count of an entry is an upper limit that only goes down, unless the baseline is rewritten.
package struct Baseline: Equatable, Sendable {
  package struct Entry: Equatable, Sendable {
    package let fingerprint: Fingerprint
    /// The number of findings that the entry covers; at least one.
    package var count: Int
    /// The reason why the findings are accepted; empty if none was given.
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
    /// The stale entries in the order of the entries. Empty if the logs are incomplete.
    package let stale: [Stale]
    /// The entries for what other findings now include. They do not make a run fail, and are
    /// removed when the file is next written.
    package let settled: [Stale]

    package init(findings: [Finding], known: Int, stale: [Stale], settled: [Stale]) {
      self.findings = findings
      self.known = known
      self.stale = stale
      self.settled = settled
    }
  }

  /// The entries, sorted, with each fingerprint once.
  package private(set) var entries: [Entry]

  /// Creates a baseline.
  ///
  /// - Parameter entries: The entries. If two entries have the same fingerprint, the first one is
  ///   used.
  package init(_ entries: [Entry] = []) {
    let first = Dictionary(
      entries.map { ($0.fingerprint, $0) }, uniquingKeysWith: { first, _ in first })
    self.entries = first.values.sorted { $0.fingerprint < $1.fingerprint }
  }

  /// Returns the findings that the baseline does not cover.
  ///
  /// An entry of one of the rules about leaks also covers findings of the others, because which
  /// rule reports a leak depends on the run: whether the cycle is known, or whether the process was
  /// killed.
  ///
  /// A search for leaked objects can overlook some, depending on what other threads do and on old
  /// words on stacks. So an entry for objects covers any number of findings, and isn't stale.
  ///
  /// If there are more findings than another entry covers, it covers proven findings before
  /// unproven ones, and those of older subscriptions before those of younger ones.
  ///
  /// - Parameters:
  ///   - repetitions: The fingerprints of findings that others repeat. Entries for them are
  ///     settled.
  ///   - isWhole: True if nothing is missing from the logs. Otherwise, no entry is reported as
  ///     stale.
  ///   - covers: A function that reports whether the run looked for findings with a fingerprint.
  ///     Entries with other fingerprints can't be checked.
  package func compare(
    _ findings: [Finding], repetitions: Set<Fingerprint> = [], in log: LogAnalysis, isWhole: Bool,
    covers: (Fingerprint) -> Bool = { _ in true }
  ) -> Comparison {
    // Most checks have no baseline, and some of them have very many findings.
    guard !entries.isEmpty else {
      return Comparison(findings: findings, known: 0, stale: [], settled: [])
    }
    let counts = Dictionary(
      entries.map { ($0.fingerprint.leak, $0.count) }, uniquingKeysWith: Baseline.sum)
    let groups = Dictionary(grouping: findings.indices) { Fingerprint(findings[$0], in: log).leak }
    var known: Set<Int> = []
    for (leak, members) in groups {
      guard let count = counts[leak] else { continue }
      if members.allSatisfy({ log.lifecycles.activity(at: findings[$0].lifecycle).isObject }) {
        known.formUnion(members)
        continue
      }
      let order = members.sorted { left, right in
        let (first, second) = (findings[left], findings[right])
        if first.isProven != second.isProven { return first.isProven }
        let starts = (log.lifecycles[first.lifecycle].start, log.lifecycles[second.lifecycle].start)
        return starts.0 == starts.1 ? left < right : starts.0 < starts.1
      }
      known.formUnion(order.prefix(count))
    }
    let found = found(groups.mapValues { $0.map { findings[$0].rule } })
    let unfounded = zip(entries, found).map { Stale(entry: $0, found: $1) }
      .filter { isWhole && $0.found < $0.entry.count && covers($0.entry.fingerprint) }
      .filter { !$0.entry.fingerprint.canBeOfObjects }
    let consequences = unfounded.isEmpty ? [] : Baseline.consequences(of: findings, in: log)
    let isSettled = { (stale: Stale) in
      let fingerprint = stale.entry.fingerprint
      return consequences.contains(fingerprint.leak) || repetitions.contains(fingerprint)
    }
    return Comparison(
      findings: findings.indices.filter { !known.contains($0) }.map { findings[$0] },
      known: known.count, stale: unfounded.filter { !isSettled($0) },
      settled: unfounded.filter(isSettled))
  }

  private static func sum(_ left: Int, _ right: Int) -> Int {
    let (sum, overflows) = left.addingReportingOverflow(right)
    return overflows ? .max : sum
  }

  /// Returns the number of findings that each entry covers. Findings of its own rule come first,
  /// then those of the other rules for the same leak, up to the count of the entry.
  ///
  /// - Parameter rules: The rules of the findings of each leak.
  private func found(_ rules: [Fingerprint: [String]]) -> [Int] {
    var left: [Fingerprint: Int] = [:]
    for (leak, rules) in rules {
      for rule in rules { left[leak.of(rule), default: 0] += 1 }
    }
    var found = [Int](repeating: 0, count: entries.count)
    for ofItsRule in [true, false] {
      for (index, entry) in entries.enumerated() {
        for fingerprint in ofItsRule ? [entry.fingerprint] : entry.fingerprint.alternatives {
          let count = min(left[fingerprint] ?? 0, entry.count - found[index])
          guard count > 0 else { continue }
          found[index] += count
          left[fingerprint, default: 0] -= count
        }
      }
    }
    return found
  }

  /// Returns the fingerprints that the consequences of findings would have as findings.
  private static func consequences(
    of findings: [Finding], in log: LogAnalysis
  ) -> Set<Fingerprint> {
    var fingerprints: Set<Fingerprint> = []
    for finding in findings {
      for index in finding.consequences {
        fingerprints.insert(Fingerprint(finding.rule, log.lifecycles[index].site).leak)
      }
    }
    return fingerprints
  }

  /// Returns a baseline that covers the findings and nothing else, except for objects: a search
  /// can overlook some of them, so their entries remain. Entries that remain keep their reasons.
  ///
  /// - Parameters:
  ///   - isWhole: True if nothing is missing from the logs. Otherwise, no entry is removed and no
  ///     count is lowered.
  ///   - covers: A function that reports whether the run looked for findings with a fingerprint.
  ///     Entries with other fingerprints stay.
  package func accepting(
    _ findings: [Finding], in log: LogAnalysis, isWhole: Bool,
    covers: (Fingerprint) -> Bool = { _ in true }
  ) -> Baseline {
    var counts: [Fingerprint: Int] = [:]
    for finding in findings { counts[Fingerprint(finding, in: log), default: 0] += 1 }
    let found = counts
    for entry in entries
    where !isWhole || !covers(entry.fingerprint) || entry.fingerprint.canBeOfObjects {
      // Findings of the other rules for the same leak are not counted here.
      let elsewhere = entry.fingerprint.alternatives.reduce(0) { $0 + (found[$1] ?? 0) }
      let count = max(counts[entry.fingerprint] ?? 0, entry.count - elsewhere)
      if count > 0 { counts[entry.fingerprint] = count }
    }
    let reasons = Dictionary(
      entries.map { ($0.fingerprint, $0.reason) }, uniquingKeysWith: { first, _ in first })
    let reasonsOfLeaks = Dictionary(
      entries.map { ($0.fingerprint.leak, $0.reason) }, uniquingKeysWith: { first, _ in first })
    return Baseline(
      counts.map { fingerprint, count in
        let reason = reasons[fingerprint] ?? reasonsOfLeaks[fingerprint.leak] ?? ""
        return Entry(fingerprint, count: count, reason: reason)
      })
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
