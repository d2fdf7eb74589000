import TraceFormat

/// A rule that finds classes with more instances after each repetition of a scope.
struct InstanceGrowthRule: Rule {
  static let id = "instance-growth"

  var id: String { Self.id }
  var level: RuleLevel { .warning }
  var asksForRetention: Bool { true }

  var summary: String {
    "Each repetition of a scope leaves more instances of a class alive."
  }

  var advice: String {
    "Release the instance of the previous repetition, or limit the number that is kept."
  }

  var explanation: String {
    """
    After each repetition of a scope, the process had more live instances of a class than after \
    the one before. The first repetition only provides the number to compare with, because it may \
    fill caches. If this continues, the process runs out of memory.

    Below the finding is what keeps one of the new instances alive: a cycle, or the path from a \
    variable, a task or a thread. If the path leads through a collection that is meant to grow, \
    limit it or allow the finding. Classes that only grow because another growing class holds \
    them aren't reported.

    The process counts instances if REACTIVE_TRACE_INSTANCES is 1, at the end of each \
    Trace.withScope while no other scope is open except for those around it.

    min is the smallest number of repetitions that each add instances. The process itself searches \
    for what keeps them alive after three, so a smaller value has no effect.
    """
  }

  private static let minCount = RuleThreshold(
    name: "min", value: Double(InstanceGrowth.minIncreases), unit: "repetitions",
    meaning: "the smallest number of repetitions that each add instances")

  var thresholds: [RuleThreshold] { [Self.minCount] }

  func findings(in log: LogAnalysis, _ settings: RuleSettings) -> [Finding] {
    let growing = log.growingInstances
    guard !growing.isEmpty else { return [] }
    let minCount = count(of: Self.minCount, settings)
    let steps = GrowingSteps(log)
    // A class that grows with several scopes, one around the other, is one mistake.
    var seen: Set<[String]> = []
    return growing.compactMap { index, objects in
      let lifecycle = log.lifecycles[index]
      guard let step = steps.step(ofScope: objects.scope, log: Int(lifecycle.log)),
        let growth = step.growth.growing[lifecycle.site.type ?? ""],
        growth.increases >= minCount,
        seen.insert([String(lifecycle.log), lifecycle.site.type ?? ""]).inserted
      else { return nil }
      return Finding(
        self, index, retention: log.retention(of: index), .always,
        """
        from \(growth.first) to \(count: growth.last, "instance") of \(lifecycle.site.lane), more \
        after each of \(growth.increases) repetitions of \(step.name)
        """)
    }
  }
}

/// The growth of all classes by the names of the scopes.
private struct GrowingSteps {
  struct Step {
    let name: String
    var growth = InstanceGrowth()
    /// The number of the last scope that was counted.
    var last: UInt64 = 0
  }

  private struct Key: Hashable {
    let log: Int
    let name: String
  }

  private var steps: [Key: Step] = [:]
  private var names: [Int: [UInt64: String]] = [:]
  /// The numbers of the scopes of each name, in ascending order.
  private var numbers: [Key: [UInt64]] = [:]

  init(_ log: LogAnalysis) {
    for scope in log.scopes.sorted(by: { $0.number < $1.number }) {
      names[scope.log, default: [:]][scope.number] = scope.name
      guard let name = scope.name else { continue }
      numbers[Key(log: scope.log, name: name), default: []].append(scope.number)
    }
    for (number, one) in log.logs.enumerated() {
      // The classes of one repetition can be in several records.
      var repetition: (scope: UInt64, classes: [LeakedObjects.Class])?
      func add() {
        guard let known = repetition, let name = names[number]?[known.scope] else { return }
        let key = Key(log: number, name: name)
        var step = steps[key] ?? Step(name: name)
        // A repetition without counts may have been one that added nothing.
        if skips(from: step.last, to: known.scope, key) { step.growth = InstanceGrowth() }
        step.growth.add(known.classes)
        step.last = known.scope
        steps[key] = step
      }
      for counts in one.instances {
        guard let scope = counts.scope else { continue }
        if repetition?.scope == scope {
          repetition?.classes += counts.classes
        } else {
          add()
          repetition = (scope, counts.classes)
        }
      }
      add()
    }
  }

  /// Returns whether the scope was repeated between two counted repetitions.
  private func skips(from last: UInt64, to next: UInt64, _ key: Key) -> Bool {
    guard last > 0, last < next, let all = numbers[key] else { return false }
    return all.partitionPoint { $0 >= next } - all.partitionPoint { $0 > last } > 0
  }

  /// Returns the repetitions of a scope.
  func step(ofScope scope: UInt64?, log: Int) -> Step? {
    scope.flatMap { names[log]?[$0] }.flatMap { steps[Key(log: log, name: $0)] }
  }
}
