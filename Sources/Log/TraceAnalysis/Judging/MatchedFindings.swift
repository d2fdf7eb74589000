/// The findings of two runs, with those that are about the same mistake next to each other.
///
/// Findings with the same id are the same mistake. Ids include lines if several findings of one run
/// need them, and lines move. So the findings that remain are matched if a baseline would treat
/// them as one. A line or a retain cycle may join the findings of several lanes that another run
/// lists one by one, so a finding has any number of counterparts.
struct MatchedFindings {
  private struct Match {
    var old: [FindingGroup] = []
    var new: [FindingGroup] = []
  }

  private struct Side {
    let groups: [FindingGroup]
    /// The fingerprints of each group.
    let leaks: [Set<Fingerprint>]

    init(_ groups: [FindingGroup], of log: LogAnalysis) {
      self.groups = groups
      leaks = groups.map { group in
        Set(group.samples.map { Fingerprint($0, in: log).leak })
      }
    }
  }

  private let matches: [Match]

  init(
    _ old: [FindingGroup], of oldLog: LogAnalysis, _ new: [FindingGroup], of newLog: LogAnalysis
  ) {
    let (old, new) = (Side(old, of: oldLog), Side(new, of: newLog))
    // The old counterpart of each new finding.
    var partners = [Int?](repeating: nil, count: new.groups.count)
    var rest = Set(old.groups.indices)
    var byLeak: [Fingerprint: [Int]] = [:]
    for index in old.groups.indices {
      for leak in old.leaks[index] { byLeak[leak, default: []].append(index) }
    }
    func match(_ isSame: (Int, Int) -> Bool) {
      for index in new.groups.indices where partners[index] == nil {
        let candidates = new.leaks[index].flatMap { byLeak[$0] ?? [] }.sorted()
        guard let partner = candidates.first(where: { rest.contains($0) && isSame($0, index) })
        else { continue }
        partners[index] = partner
        rest.remove(partner)
      }
    }
    let numbers = Dictionary(
      old.groups.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    for index in new.groups.indices {
      guard let partner = numbers[new.groups[index].id] else { continue }
      partners[index] = partner
      rest.remove(partner)
    }
    func isSameLeak(_ first: Int, _ second: Int) -> Bool {
      !old.leaks[first].isDisjoint(with: new.leaks[second])
    }
    match { old.groups[$0].observed == new.groups[$1].observed }
    match { _, _ in true }
    var matches = new.groups.indices.map { index in
      Match(old: partners[index].map { [old.groups[$0]] } ?? [], new: [new.groups[index]])
    }
    var fixed: [Match] = []
    let joining = new.groups.indices.filter { new.leaks[$0].count > 1 }
    for index in rest.sorted() {
      let joined = joining.first { other in
        guard let partner = partners[other], isSameLeak(index, other) else { return false }
        return old.leaks[index].isDisjoint(with: old.leaks[partner])
      }
      if let joined {
        matches[joined].old.append(old.groups[index])
      } else {
        fixed.append(Match(old: [old.groups[index]]))
      }
    }
    // A finding of the new run may be a part of an old one.
    let joined = new.groups.indices.filter { partners[$0].map { old.leaks[$0].count > 1 } ?? false }
    for index in new.groups.indices where partners[index] == nil {
      let whole = joined.first { other in
        guard let partner = partners[other], isSameLeak(partner, index) else { return false }
        return new.leaks[index].isDisjoint(with: new.leaks[other])
      }
      guard let whole else { continue }
      matches[whole].new.append(new.groups[index])
      matches[index].new = []
    }
    self.matches = matches + fixed
  }

  /// All findings, with those that are worse first.
  var all: [LogComparison.Change] {
    let all = matches.compactMap(change)
    return all.filter(\.isWorse) + all.filter { !$0.isWorse }
  }

  private func change(_ match: Match) -> LogComparison.Change? {
    guard let shown = match.new.first ?? match.old.first else { return nil }
    let (old, new) = (match.old.flatMap(\.findings), match.new.flatMap(\.findings))
    let kind: LogComparison.Change.Kind =
      switch (old.count, new.count) {
      case (0, _): .new
      case (_, 0): .fixed
      case (let before, let now): now > before ? .more : now < before ? .fewer : .same
      }
    return LogComparison.Change(
      kind: kind, group: shown, old: old.count, new: new.count,
      added: Array(new.suffix(max(0, new.count - old.count))))
  }
}
