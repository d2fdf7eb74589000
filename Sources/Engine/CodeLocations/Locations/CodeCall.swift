import SwiftRuntime

/// What the files of a program say about a call, without a judgment about whose code it is.
package struct CodeCall: Sendable, Equatable {
  /// The symbol of the function that makes the call, or nil if it isn't known.
  package let symbol: String?
  /// The symbol of the function with the line, if the compiler put its code into the function that
  /// makes the call.
  let inlined: String?
  /// The path of the source file when it was compiled, or nil if it isn't known.
  package let path: String?
  /// The line in the file, from 1. It is 0 without a path.
  package let line: Int

  package init(
    symbol: String? = nil, inlined: String? = nil, path: String? = nil, line: Int = 0
  ) {
    self.symbol = symbol
    self.inlined = inlined
    self.path = path
    self.line = line
  }

  /// The name of the function with the line, as in the source, or its symbol if it isn't one of
  /// Swift.
  package var name: String? { (inlined ?? symbol).map { CodeFrame.name(of: $0) } }

  /// The file and line, such as `Module/File.swift:42`.
  package var source: String? {
    path.map { "\(SourceFile.name(of: $0, in: inlined ?? symbol)):\(line)" }
  }

  /// Returns whether a person wrote a source file: not the compiler, a macro or the toolchain.
  static func isWritten(path: String) -> Bool {
    !CodeFrame.isGenerated(path) && !path.contains("@__swiftmacro_") && !isOfToolchain(path: path)
  }

  /// Returns whether a source file was part of the build of the toolchain. Its releases are built
  /// in `/home/build-user` (paths in the debug information of the libraries of Swift 6.3).
  package static func isOfToolchain(path: String) -> Bool { path.hasPrefix("/home/build-user/") }

  /// Returns whether a source file belongs to a package on which another one depends. SwiftPM puts
  /// these into the folder `checkouts`.
  package static func isOfDependency(path: String) -> Bool { path.contains("/checkouts/") }
}
