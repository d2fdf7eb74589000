extension Retention {
  /// The common suffixes of the names of references back to an owner. The second ones can also be
  /// the names of what an object owns.
  private static let backNames = [
    [
      "delegate", "parent", "owner", "superview", "datasource", "coordinator", "listener",
      "container", "host", "previous", "prev", "predecessor", "enclosing",
    ],
    ["controller", "target", "view", "output"],
  ]

  /// Returns how certainly the name of a step's property is that of a reference back to an owner:
  /// 0 is the most certain. Nil if it isn't such a name.
  private static func backRank(_ step: Step) -> Int? {
    let name = step.field?.name?.split(separator: ".").last?.lowercased() ?? ""
    return backNames.firstIndex { names in names.contains { name.hasSuffix($0) } }
  }

  /// The suffixes of the names of collections of objects that were registered by others, who own
  /// them.
  private static let registrationNames = [
    "observers", "listeners", "subscribers", "delegates", "handlers", "watchers",
  ]

  /// Returns whether a step is a collection of objects that it doesn't own according to its name.
  private static func isOfRegistrations(_ step: Step) -> Bool {
    guard let field = step.field, field.holding == .collection else { return false }
    let name = field.name?.split(separator: ".").last?.lowercased() ?? ""
    return registrationNames.contains { name.hasSuffix($0) }
  }

  /// Returns the index of the step to break in a cycle: user code, or else a reference that can be
  /// weak. Returns nil if no step is the user's.
  package static func stepToBreak(_ cycle: [Step]) -> Int? { stepsToBreak(cycle).first }

  /// Returns the indices of the steps that can be broken in a cycle, the best one first.
  ///
  /// - Parameter isOwn: Returns whether a step is in the program itself, rather than in another
  ///   package.
  package static func stepsToBreak(
    _ cycle: [Step], isOwn: (Int) -> Bool = { _ in true }
  ) -> [Int] {
    // A closure that retains another one can't change what the other one retains.
    let code = cycle.indices.filter { cycle[$0].isCode }
    let isCode = Set(code)
    let outer = code.filter { !isCode.contains($0 + 1) }
    let inner = code.filter { isCode.contains($0 + 1) }
    let fields = cycle.indices.filter { cycle[$0].field != nil && cycle[$0].field?.library == nil }
    let ownership = Ownership(cycle)
    let ranked = fields.reversed().compactMap { index in
      rank(index, in: cycle, ownership).map { (index: index, rank: $0) }
    }
    let ordered = ranked.enumerated().sorted {
      ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset)
    }
    let all = outer + inner + ordered.map(\.element.index)
    // Advice about another package is the last resort, but a closure there can be right.
    return all.filter { isCode.contains($0) && isOwn($0) }
      + all.filter { isCode.contains($0) && !isOwn($0) } + all.filter { !isCode.contains($0) }
  }

  /// Returns the place of a property among those to break, or nil if breaking it can't be right.
  private static func rank(_ index: Int, in cycle: [Step], _ ownership: Ownership) -> Int? {
    guard let field = cycle[index].field else { return nil }
    let back = backRank(cycle[index])
    if isOfRegistrations(cycle[index]) { return 4 }
    switch field.holding {
    case .optionalReference, .reference:
      let isOptional = field.holding == .optionalReference
      if let back { return back * 2 + (isOptional ? 0 : 1) }
      if mayBeWeak(index, in: cycle, ownership) { return isOptional ? 5 : 6 }
      return isOptional ? 7 : 9
    // A back reference in a structure can't be weak, but nothing else in the cycle is a mistake.
    case .other where back != nil: return 4
    case .collection, .closure, .optional, .disposable, .bag, .other, .resource: return 8
    case .owner: return 10
    }
  }

  /// Returns whether a reference on a cycle can be weak without deallocating an object in use.
  ///
  /// A reference back to an owner can. So can the only reference if each other property on the
  /// cycle owns what it leads to. Of other references, each one can be the only owner.
  package static func mayBeWeak(_ index: Int, in cycle: some Collection<Step>) -> Bool {
    let steps = Array(cycle)
    return mayBeWeak(index, in: steps, Ownership(steps))
  }

  private static func mayBeWeak(_ index: Int, in steps: [Step], _ ownership: Ownership) -> Bool {
    guard steps.indices.contains(index),
      [.optionalReference, .reference].contains(steps[index].field?.holding)
    else { return false }
    return backRank(steps[index]) != nil || ownership.isOfAll(except: index)
  }

  /// Which properties on a cycle own what they lead to.
  private struct Ownership {
    private let propertyCount: Int
    /// The indices of the properties that may not own what they lead to.
    private let others: [Int]

    init(_ steps: [Step]) {
      let properties = steps.indices.filter { steps[$0].field != nil }
      propertyCount = properties.count
      others = properties.filter { index in
        ![.owner, .collection, .disposable, .bag].contains(steps[index].field?.holding)
          || isOfRegistrations(steps[index])
      }
    }

    /// Reports whether there are properties apart from one, and all of them own what they lead to.
    func isOfAll(except index: Int) -> Bool {
      propertyCount > 1 && (others.isEmpty || others == [index])
    }
  }
}
