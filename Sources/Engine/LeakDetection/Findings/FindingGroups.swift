#if os(Linux)
  import TraceFormat

  /// Findings with the same steps, put together.
  struct FindingGroups {
    struct Item {
      /// The class, or nil for memory that isn't an object.
      let name: String?
      let bytes: Int
    }

    private struct Key: Hashable {
      let kind: LeakFinding.Kind
      let name: String
      /// The reference to break, or else the steps of the cycle.
      let mistake: [String]
    }

    private struct Group {
      var finding: LeakFinding
      var count = 0
      var members: [String: (count: Int, bytes: Int)] = [:]
      var held: [String: (count: Int, bytes: Int)] = [:]
    }

    private var order: [Key] = []
    private var groups: [Key: Group] = [:]

    mutating func add(_ finding: LeakFinding, members: [Item], held: [Item]) {
      let key = Key(
        kind: finding.kind, name: finding.name,
        mistake: finding.reference.map { [$0, finding.site ?? ""] }
          ?? finding.retention.steps.map(\.identity))
      if groups[key] == nil { order.append(key) }
      var group = groups[key] ?? Group(finding: finding)
      // Objects are added in the order of their addresses, which change from run to run.
      if Self.precedes(finding, group.finding) { group.finding = finding }
      group.count += 1
      for item in members { Self.add(item, to: &group.members) }
      for item in held { Self.add(item, to: &group.held) }
      groups[key] = group
    }

    /// Returns whether a finding describes its mistake better than another one: with a certain
    /// cycle, or with fewer steps.
    private static func precedes(_ left: LeakFinding, _ right: LeakFinding) -> Bool {
      let (own, other) = (left.retention, right.retention)
      if own.isProbable != other.isProbable { return other.isProbable }
      // A program can leak a million cycles with the same steps, whose texts need a minute.
      guard own.steps != other.steps else { return (left.site ?? "") < (right.site ?? "") }
      let (steps, others) = (own.steps.map(\.identity), other.steps.map(\.identity))
      if steps.count != others.count { return steps.count < others.count }
      return steps == others
        ? (left.site ?? "") < (right.site ?? "") : steps.lexicographicallyPrecedes(others)
    }

    /// The name of memory that isn't an object, in a list of classes.
    static let memory = ""

    private static func add(_ item: Item, to list: inout [String: (count: Int, bytes: Int)]) {
      let entry = list[item.name ?? memory] ?? (0, 0)
      list[item.name ?? memory] = (entry.count + 1, entry.bytes + item.bytes)
    }

    private static func classes(
      _ list: [String: (count: Int, bytes: Int)]
    ) -> [LeakedObjects.Class] {
      list.map { LeakedObjects.Class(name: $0.key, count: $0.value.count, bytes: $0.value.bytes) }
        .sorted { ($1.bytes, $0.name) < ($0.bytes, $1.name) }
    }

    /// The findings, those with the most bytes first.
    var findings: [LeakFinding] {
      order.compactMap { groups[$0] }.map { group in
        let finding = group.finding
        return LeakFinding(
          kind: finding.kind, name: finding.name, module: finding.module,
          retention: finding.retention, count: group.count,
          members: Self.classes(group.members), held: Self.classes(group.held),
          site: finding.site, reference: finding.reference, isOfUser: finding.isOfUser)
      }
      .sorted {
        ($1.bytes, $0.name, $0.reference ?? "") < ($0.bytes, $1.name, $1.reference ?? "")
      }
    }
  }
#endif
