import TraceFormat

/// A rule that finds lanes with more active subscriptions after each repetition of the same step.
struct Growth: Rule {
  static let id = "growth"

  var id: String { Self.id }
  var level: RuleLevel { .error }

  var summary: String {
    "Each repetition of a step leaves more subscriptions of a lane active."
  }

  var advice: String { advice(for: nil) }

  func advice(for library: LogFormat.StreamLibrary?) -> String {
    let words = EndWords(library)
    return "\(words.verb) the \(words.noun) of the previous repetition."
  }

  var explanation: String {
    """
    Each repetition of a step leaves one more subscription, and none of them ever goes away. In a \
    process that runs for days, this fills the memory. The step is a scope with a name, or \
    subscribing to the lane itself.

    The finding names the step and the number of active subscriptions after each repetition. Find \
    out what should have disposed the subscription of the previous repetition. Subscriptions that \
    are declared to live until exit count, too, because even these should be made only once.

    Growth that consists of subscriptions with findings of their own, as retain-cycle, undisposed \
    or scope-leak, is not reported a second time. The first files of a log must be there: without \
    them, growth is not looked for.

    min is the smallest number of repetitions.
    """
  }

  private static let minCount = RuleThreshold(
    name: "min", value: 3, unit: "repetitions",
    meaning: "the smallest number of repetitions that each leave more active")

  var thresholds: [RuleThreshold] { [Self.minCount] }

  func findings(in log: LogAnalysis, _ settings: RuleSettings) -> [Finding] {
    let minCount = max(2, count(of: Self.minCount, settings))
    var findings: [Finding] = []
    let steps = Steps(log, minCount: minCount)
    for members in SiteMembers.members(of: log) {
      // If the first files of a log are missing, so are the first repetitions. While clients
      // connect, the rest may look like growth that the missing part would refute.
      guard let first = members.first, log.logs[Int(log.lifecycles[first].log)].hasBeginning else {
        continue
      }
      if let finding = scopeGrowth(members, steps, log) ?? laneGrowth(members, minCount, log) {
        findings.append(finding)
      }
    }
    return roots(findings, log)
  }

  /// Returns the findings of lanes that grow by themselves. A lane grows because of another one if
  /// each of its subscriptions was made for one of those that make the other lane grow.
  private func roots(_ findings: [Finding], _ log: LogAnalysis) -> [Finding] {
    guard findings.count > 1 else { return findings }
    var owners: [Int: Int] = [:]
    for (position, finding) in findings.enumerated() {
      for member in finding.members { owners[member] = position }
    }
    return LeakRoots.of(findings.count) { position in
      var owner: Int?
      for member in findings[position].members {
        let parent = log.parent(of: log.lifecycles[member]).flatMap { owners[$0] }
        guard let parent, parent != position else { return nil }
        owner = owner ?? parent
      }
      return owner
    }.map { root, consequences in
      let finding = findings[root]
      let members = consequences.flatMap { findings[$0].members }
      return members.isEmpty
        ? finding
        : Finding(
          self, finding.lifecycle, others: finding.others, consequences: members.sorted(),
          finding.proof, finding.sentence)
    }
  }

  /// The ends of all scopes with the same name, if there are enough of them.
  private struct Steps {
    /// The names and ends by log.
    private let all: [Int: [(name: String, ends: [Nanoseconds])]]

    init(_ log: LogAnalysis, minCount: Int) {
      var ends: [String: [Int: [Nanoseconds]]] = [:]
      for scope in log.scopes {
        guard let name = scope.name, let end = scope.end else { continue }
        ends[name, default: [:]][scope.log, default: []].append(end)
      }
      let steps = ends.sorted { $0.key < $1.key }.flatMap { name, logs in
        logs.map { (log: $0, name: name, ends: $1.sorted()) }
      }
      all = Dictionary(grouping: steps.filter { $0.ends.count >= minCount }, by: \.log)
        .mapValues { $0.map { ($0.name, $0.ends) } }
    }

    /// Returns the steps with at most `members` repetitions. Steps with more can't be the cause of
    /// growth, because each repetition leaves one more subscription.
    func of(log: Int, for members: Int) -> [(name: String, ends: [Nanoseconds])] {
      all[log]?.filter { $0.ends.count <= members } ?? []
    }
  }

  private func scopeGrowth(_ members: [Int], _ steps: Steps, _ log: LogAnalysis) -> Finding? {
    guard let first = members.first else { return nil }
    let steps = steps.of(log: Int(log.lifecycles[first].log), for: members.count)
    guard !steps.isEmpty else { return nil }
    let population = log.population(of: MemberList(members))
    for step in steps {
      let counts = step.ends.map(population.alive)
      guard zip(counts, counts.dropFirst()).allSatisfy({ $0 < $1 }), counts.first ?? 0 > 0
      else { continue }
      let alive = members.filter { log.lifecycles[$0].isAlive(at: step.ends[counts.count - 1]) }
      guard let newest = alive.last else { continue }
      return Finding(
        self, newest, others: Array(alive.dropLast()), .withoutHoles,
        "each \(step.name) leaves more active: \(Growth.list(counts))")
    }
    return nil
  }

  /// Returns a finding if no subscription of the lane ever ended.
  private func laneGrowth(_ members: [Int], _ minCount: Int, _ log: LogAnalysis) -> Finding? {
    guard members.count >= minCount, let newest = members.last,
      members.allSatisfy({ log.lifecycles[$0].isActive }),
      // Subscriptions with a parent accumulate only because the parents never end.
      !members.contains(where: { log.parent(of: log.lifecycles[$0]) != nil })
    else { return nil }
    return Finding(
      self, newest, others: Array(members.dropLast()), .wholeLog,
      "each subscribing leaves one more active: \(Growth.list(Array(1...members.count)))")
  }

  private static func list(_ counts: [Int]) -> String {
    let shown = counts.count > 6 ? counts.prefix(3) + counts.suffix(1) : counts[...]
    var words = shown.map(String.init)
    if counts.count > 6 { words.insert("...", at: 3) }
    return words.joined(separator: ", ")
  }
}
