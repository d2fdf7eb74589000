import SwiftRuntime
package import SystemLibrary

/// What is known about a return address.
package enum CodeFrame: Sendable, Equatable {
  /// The address is in this package.
  case ours
  /// The address is in the user's code.
  case location(CodeLocation)
  /// The address is in the system, or nothing is known about it.
  case unknown

  /// Creates a frame from the name of a function and the row of a line table, if there is one.
  /// `nearest` returns the last line of user code before the address in its function.
  init(
    function: String?, row: (path: String, line: Int)?,
    nearest: () -> (path: String, line: Int)?
  ) {
    let isOurFunction = function.map { Self.isOurs(function: $0) } ?? false
    if let row, row.line > 0, !Self.isGenerated(row.path) {
      if !Self.isOurs(path: row.path) {
        self = .location(Self.location(function, row))
        return
      }
      if function == nil || isOurFunction, !SourceFile.mayExtendOurs(function ?? "") {
        self = .ours
        return
      }
    }
    // Code of this package was inlined here, or the compiler made the instruction.
    if let function, row != nil, SourceFile.mayExtendOurs(function) {
      self = nearest().map { .location(Self.location(function, $0)) } ?? .ours
    } else if isOurFunction {
      self = .ours
    } else if let function, Self.isOfTheUser(function) {
      self = .location(Self.location(function, row == nil ? nil : nearest()))
    } else {
      self = .unknown
    }
  }

  static func location(
    _ function: String?, _ row: (path: String, line: Int)?, column: Int = 0
  ) -> CodeLocation {
    CodeLocation(
      column: column > 0 ? column : nil,
      source: row.map { "\(SourceFile.name(of: $0.path, in: function)):\($0.line)" },
      function: function.map { name(of: $0) },
      folderSource: row.map { row in
        row.path.split(separator: "/").suffix(2).joined(separator: "/") + ":\(row.line)"
      })
  }

  static func isGenerated(_ path: String) -> Bool { path.hasSuffix("<compiler-generated>") }

  private static let folders = OwnModules.folders + StreamModules.folders

  /// Returns whether a file is in this package. The path can be relative to an unknown folder.
  static func isOurs(path: String) -> Bool {
    folders.contains { path.hasPrefix($0) || path.contains("/" + $0) }
  }

  static func isOurs(function: String) -> Bool {
    OwnModules.prefixes.contains { function.hasPrefix($0) }
  }

  /// Returns whether a module belongs to this package and is linked by traced programs.
  static func isOurs(module: String) -> Bool {
    OwnModules.contain(module)
  }

  /// Returns whether a function without a line is in Foundation, Dispatch or Observation, and not
  /// in another module's extension of their types.
  static func isOfSystem(function: String) -> Bool {
    guard hasPrefix(function, ofModules: systemModules) else { return false }
    return SourceFile.module(of: function).map { systemModules.contains($0) } ?? true
  }

  private static let systemModules = [
    "Foundation", "FoundationEssentials", "FoundationNetworking", "Dispatch", "Observation",
  ]

  private static func hasPrefix(_ function: String, ofModules modules: [String]) -> Bool {
    modules.contains { function.hasPrefix(MangledName.symbolPrefix(ofModule: $0)) }
  }

  /// Returns whether a function without a line can name a location. Only `main` and Swift functions
  /// can, except those in Swift's libraries and those made by the compiler.
  private static func isOfTheUser(_ function: String) -> Bool {
    let isOfLibrary =
      hasPrefix(function, ofModules: ["Foundation", "FoundationEssentials", "Dispatch"])
      || MangledName.symbolPrefixesOfStandardLibrary.contains { function.hasPrefix($0) }
    guard MangledName(symbol: function) != nil, !isOfLibrary else { return isEntry(function) }
    return !Demangler.isThunk(function)
  }

  /// Returns whether a function is the one at which a program starts. SwiftPM renames it if the
  /// program is built for tests.
  package static func isEntry(_ function: String) -> Bool {
    function == entry || function.hasSuffix("_main") && MangledName(symbol: function) == nil
  }

  private static let entry = "main"

  /// Returns the name as in the source, without the compiler's additions.
  package static func name(of function: String) -> String {
    if isEntry(function) { return entry }
    var name = Demangler.name(of: function)
    for part in [" partial function for ", " of "] where name.hasPrefix("(") || part == " of " {
      if part == " of ", !name.hasPrefix("generic specialization ") { continue }
      if let range = name.firstRange(of: part) { name = String(name[range.upperBound...]) }
    }
    for word in ["specialized ", "merged "] where name.hasPrefix(word) {
      name.removeFirst(word.count)
    }
    return name
  }
}
