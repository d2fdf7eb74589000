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
