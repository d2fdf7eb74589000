extension Retention {
  /// The common suffixes of the names of references back to an owner.
  private static let backNames = [
    "delegate", "parent", "owner", "superview", "controller", "datasource", "target", "view",
    "output", "host", "container", "coordinator", "listener",
  ]

  /// Returns the index of the step to break in a cycle: user code, or else a reference that can be
  /// weak. Returns nil if no step is the user's.
  package static func stepToBreak(_ cycle: [Step]) -> Int? {
    // A closure that retains another one can't change what the other one retains.
    let code = cycle.indices.filter { cycle[$0].isCode }
    if let index = code.first(where: { !code.contains($0 + 1) }) { return index }
    let fields = cycle.indices.filter { cycle[$0].field != nil }
    let isBack = { (index: Int) -> Bool in
      let name = cycle[index].field?.name?.split(separator: ".").last?.lowercased() ?? ""
      return backNames.contains { name.hasSuffix($0) }
    }
    let weakable = [Step.Field.Holding.optionalReference, .reference].map { holding in
      fields.filter { cycle[$0].field?.holding == holding }
    }
    if let back = weakable.lazy.compactMap({ $0.last(where: isBack) }).first { return back }
    // A back reference in a structure can't be weak, but nothing else in the cycle is a mistake.
    let backs = fields.filter { cycle[$0].field?.holding == .other && isBack($0) }
    return backs.last ?? weakable.lazy.compactMap(\.last).first ?? fields.last
  }
}
