#if os(Linux) && canImport(Runtime)
  import Runtime
#endif

/// Source names for symbols, from the toolchain's demangler. On platforms other than Linux, symbols
/// stay mangled.
package enum Demangler {
  /// The maximum length of a name to demangle. The demangler recurses into nested types, so longer
  /// names stay mangled to limit the stack depth.
  private static let maxLength = 1024
  private static let shownLength = 64

  private static func canDemangle(_ symbol: String) -> Bool {
    symbol.utf8.count <= maxLength && !MangledName(Array(symbol.utf8)).repeatsManyTypes
  }

  #if os(Linux) && canImport(Runtime)
    /// Returns the demangled name. A name that is, or would become, too long is shortened instead.
    package static func name(of symbol: String) -> String {
      guard canDemangle(symbol) else {
        return symbol.utf8.count <= shownLength
          ? symbol : String(symbol.prefix(shownLength)) + "..."
      }
      return demangled(symbol).name
    }

    /// Returns whether the compiler generated a function only to call another one.
    package static func isThunk(_ symbol: String) -> Bool {
      canDemangle(symbol) && demangled(symbol).isSwiftThunk
    }

    private static func demangled(_ symbol: String) -> SymbolicatedBacktrace.Symbol {
      SymbolicatedBacktrace.Symbol(
        imageIndex: 0, imageName: "", rawName: symbol, offset: 0, sourceLocation: nil)
    }
  #else
    package static func name(of symbol: String) -> String { symbol }
    package static func isThunk(_ symbol: String) -> Bool { false }
  #endif
}
