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
