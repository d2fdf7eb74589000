/// A function that begins at an address, such as the code of a closure.
package struct CodeFunction: Sendable, Equatable {
  package enum Origin: Sendable {
    case user
    /// The function is in this package, or in a library of the toolchain.
    case package
    /// The compiler generated the function to call another one, which the closure captures.
    case thunk
  }

  /// The name of the function, and the line where it begins.
  package let location: CodeLocation
  package let origin: Origin
  /// The image and the offset there, such as `app+0x1a2b`, if the function doesn't have a symbol.
  package var offset: String?
  /// The symbol, without the suffixes of thunks.
  package var symbol: String?
  /// The path of the source file when it was compiled.
  package var path: String?
  /// The parameters in the debug information. The captured values of a closure are the last ones.
  package var parameters: [Parameter] = []

  package init(
    location: CodeLocation, origin: Origin, offset: String? = nil, symbol: String? = nil,
    path: String? = nil, parameters: [Parameter] = []
  ) {
    self.location = location
    self.origin = origin
    self.offset = offset
    self.symbol = symbol
    self.path = path
    self.parameters = parameters
  }

  package struct Parameter: Sendable, Equatable {
    package let name: String
    /// A Boolean value that indicates whether the function can change the parameter, as a closure
    /// can change a captured `var`.
    package let isVariable: Bool

    package init(name: String, isVariable: Bool) {
      self.name = name
      self.isVariable = isVariable
    }
  }
}
