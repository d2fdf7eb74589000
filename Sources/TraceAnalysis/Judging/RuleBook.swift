/// The list of all rules.
package enum RuleBook {
  /// All rules: errors before warnings, the most common first.
  package static let rules: [any Rule] = [
    Undisposed(), ScopeLeak(), Growth(), MaxActive(), AfterEnd(), Duplicate(), Abandoned(),
    Silent(), Burst(), OffMainThread(), Stalled(),
  ]

  package static func rule(_ id: String) -> (any Rule)? {
    rules.first { $0.id == id }
  }
}
