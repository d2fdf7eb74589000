import SwiftRuntime
package import SystemLibrary

extension CodeFunction {
  /// The module of the function, if its name reveals it.
  package var module: String? { symbol.flatMap(SourceFile.module(of:)) }
}

/// Names of source files in the form of `#fileID`.
enum SourceFile {
  /// Returns the name of a file in the form `Module/File.swift`. The module is from the mangled
  /// name of a function in the file, or else from the folder below `Sources` or `Tests`. Without
  /// either, this is the name of the file's folder.
  static func name(of path: String, in function: String?) -> String {
    let parts = path.split(separator: "/")
    guard let file = parts.last else { return path }
    if let module = function.flatMap({ module(of: $0) }) { return "\(module)/\(file)" }
    let folders = parts.dropLast()
    if let root = folders.lastIndex(where: { $0 == "Sources" || $0 == "Tests" }),
      root + 1 < folders.endIndex
    {
      return "\(folders[root + 1])/\(file)"
    }
    return parts.suffix(2).joined(separator: "/")
  }

  /// The modules whose types are most often extended by other modules. A name that begins with one
  /// of them and isn't in the simple form doesn't reveal the module of the function.
  private static let extended: Set<String> = [
    "ReactiveKit", "ReactiveTrace", "Foundation", "FoundationEssentials", "Dispatch",
  ]

  /// Returns the module of a function. Returns nil unless its mangled name begins in a simple form:
  /// with the module and the types around the function, or with an extension of such a type.
  static func module(of function: String) -> String? {
    guard let modules = MangledName(symbol: function)?.modules else { return nil }
    return modules.ofExtension ?? (extended.contains(modules.ofType) ? nil : modules.ofType)
  }

  /// Returns whether a function whose name begins with one of our types can be in another module's
  /// extension.
  static func mayExtendOurs(_ function: String) -> Bool {
    CodeFrame.isOurs(function: function)
      && MangledName(symbol: function)?.mayBeInExtension == true
  }
}
