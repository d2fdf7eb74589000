import ReactiveKit
import TraceFormat

#if os(Linux) && canImport(Runtime)
  import Runtime
#endif

/// A place in the source.
package struct CodeLocation: Sendable, Equatable {
  /// `Module/File.swift:42`; nil where the debug information does not tell.
  package let source: String?
  package let function: String?

  /// What a lane is called that has no other name.
  package var name: String? { source ?? function }
}

/// What is known of a return address.
enum CodeFrame: Sendable, Equatable {
  /// It is in this package.
  case ours
  /// It is in code of the user's.
  case place(CodeLocation)
  /// Nothing tells, or it is in the system.
  case unknown

  /// What the name of a function and the row of a line table say. `row` is nil where there is none; `nearest` finds the
  /// line of the user's that stands last before the address in its function.
  init(
    function: String?, row: (path: String, line: Int)?,
    nearest: () -> (path: String, line: Int)?
  ) {
    let isOurFunction = function.map { Self.isOurs(function: $0) } ?? false
    if let row, row.line > 0, !Self.isGenerated(row.path) {
      if !Self.isOurs(path: row.path) {
        self = .place(Self.location(function, row))
        return
      }
      if function == nil || isOurFunction {
        self = .ours
        return
      }
    }
    // Code of ours was inlined here, or the compiler made the instruction.
    if isOurFunction {
      self = .ours
    } else if let function, Self.isOfTheUser(function) {
      self = .place(Self.location(function, row == nil ? nil : nearest()))
    } else {
      self = .unknown
    }
  }

  private static func location(
    _ function: String?, _ row: (path: String, line: Int)?
  ) -> CodeLocation {
    CodeLocation(
      source: row.map { row in
        row.path.split(separator: "/").suffix(2).joined(separator: "/") + ":\(row.line)"
      },
      function: function.map { name(of: $0) })
  }

  static func isGenerated(_ path: String) -> Bool { path.hasSuffix("<compiler-generated>") }

  static func isOurs(path: String) -> Bool {
    path.contains("/Sources/ReactiveKit/") || path.contains("/Sources/ReactiveTrace/")
  }

  private static func isOurs(function: String) -> Bool {
    function.hasPrefix("$s11ReactiveKit") || function.hasPrefix("$s13ReactiveTrace")
  }

  /// Whether a function without a line may name a place: one of Swift's that is neither in its libraries nor made by the
  /// compiler.
  private static func isOfTheUser(_ function: String) -> Bool {
    let libraries = ["$ss", "$sS", "$s10Foundation", "$s20FoundationEssentials", "$s8Dispatch"]
    guard function.hasPrefix("$s"), !libraries.contains(where: { function.hasPrefix($0) }) else {
      return function == "main"
    }
    return !isThunk(function)
  }

  /// Names that are longer are not made readable: the demangler calls itself for each type in a type.
  private static let longest = 1024

  #if os(Linux) && canImport(Runtime)
    private static func symbol(_ function: String) -> SymbolicatedBacktrace.Symbol {
      SymbolicatedBacktrace.Symbol(
        imageIndex: 0, imageName: "", rawName: function, offset: 0, sourceLocation: nil)
    }

    private static func isThunk(_ function: String) -> Bool {
      function.utf8.count <= longest && symbol(function).isSwiftThunk
    }

    /// As in the source, without what the compiler says about it.
    private static func name(of function: String) -> String {
      guard function.utf8.count <= longest else { return String(function.prefix(64)) + "..." }
      var name = symbol(function).name
      for part in [" partial function for ", " of "] where name.hasPrefix("(") || part == " of " {
        if part == " of ", !name.hasPrefix("generic specialization ") { continue }
        if let range = name.firstRange(of: part) { name = String(name[range.upperBound...]) }
      }
      for word in ["specialized ", "merged "] where name.hasPrefix(word) {
        name.removeFirst(word.count)
      }
      return name
    }
  #else
    private static func isThunk(_ function: String) -> Bool { false }
    private static func name(of function: String) -> String { function }
  #endif
}
