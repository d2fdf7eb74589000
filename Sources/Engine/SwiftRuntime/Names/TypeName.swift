/// The name of a type with its module and the types around it, such as `Shop.Cart.Item`.
package enum TypeName {
  private static let unknown = "(unknown context at $"

  /// Returns the name of a type. It is the same in each run of the program: the runtime shows the
  /// scope of a private type as an address, which is omitted.
  package static func qualified(_ type: Any.Type) -> String {
    var name = String(reflecting: type)[...]
    var kept = ""
    while let start = name.firstRange(of: unknown) {
      kept += name[..<start.lowerBound]
      name = name[start.upperBound...].drop { $0 != ")" }.dropFirst()
      if name.first == "." { name = name.dropFirst() }
    }
    return kept + name
  }
}

/// The modules of the toolchain whose types aren't the user's.
package enum SystemModules {
  private static let names: Set<String> = [
    "Swift", "_Concurrency", "Foundation", "FoundationEssentials", "FoundationNetworking",
    "Dispatch", "Observation", "Synchronization",
  ]

  /// Returns whether a type is declared in one of the modules.
  package static func contain(_ type: Any.Type) -> Bool { names.contains(module(of: type)) }

  /// Returns whether a module is one of them.
  package static func contain(module: String) -> Bool { names.contains(module) }

  /// Returns the module of a type.
  package static func module(of type: Any.Type) -> String {
    String(String(reflecting: type).prefix { $0 != "." })
  }
}
