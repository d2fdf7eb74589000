package import CodeLocations
import SwiftRuntime
package import SystemLibrary

/// A call of a task or a thread, as in the source.
package struct InspectedFrame: Equatable, Sendable {
  /// Whose code a function is.
  package enum Origin: Sendable {
    /// The package that is inspected.
    case user
    /// A package that it depends on.
    case dependency
    /// The system, the toolchain, and code that the compiler generated.
    case system
  }

  /// The name of the function as in the source, or nil if it isn't known.
  package let function: String?
  /// The file and line, such as `Module/File.swift:42`.
  package let source: String?
  /// The path of the source file when it was compiled.
  package let path: String?
  /// The file name of the program or library, and the offset in it, such as `app+0x1a2b`.
  package let offset: String
  package let origin: Origin
  /// The symbol of the function.
  package let symbol: String?
  /// A Boolean value that indicates whether the compiler generated the function for code that isn't
  /// the system's.
  package let isGenerated: Bool

  package init(
    function: String?, source: String?, path: String?, offset: String, origin: Origin,
    symbol: String? = nil, isGenerated: Bool = false
  ) {
    self.function = function
    self.source = source
    self.path = path
    self.offset = offset
    self.origin = origin
    self.symbol = symbol
    self.isGenerated = isGenerated
  }

  /// The name of the function that was compiled, if the compiler put the one with the line into it.
  package var wholeFunction: String? {
    symbol.map { Self.wholeName(CodeFrame.name(of: $0)) ?? $0 } ?? function
  }

  /// A Boolean value that indicates whether this is the function at which a program starts.
  package var isEntry: Bool {
    symbol.map { CodeFrame.isEntry($0) || $0.hasSuffix("5$mainyyFZ") } ?? false
  }

  /// A Boolean value that indicates whether this is the asynchronous function at which a program
  /// starts.
  package var isAsynchronousEntry: Bool {
    symbol.map { $0.contains("mainyyYa") || $0.hasPrefix(Self.topLevel) } ?? false
  }

  /// Creates the frame of a call.
  ///
  /// - Parameter isSwift: Whether the process has the Swift runtime. If not, functions without
  ///   symbols aren't the user's, because most programs of the system have no symbols.
  init(_ call: CodeCall?, _ image: LoadedImage?, address: UInt, isSwift: Bool) {
    self.init(
      function: Self.wholeName(call?.name), source: call?.source, path: call?.path,
      offset: Self.offset(address &- 1, image),
      origin: Self.origin(call?.symbol, call?.path, image, isSwift), symbol: call?.symbol)
  }

  /// Creates the frame of an asynchronous function that resumes at an address.
  package init(_ function: CodeFunction?, _ image: LoadedImage?, resumingAt address: UInt) {
    let isThunk = function?.origin == .thunk
    let isTopLevel = function?.symbol?.hasPrefix(Self.topLevel) == true
    self.init(
      function: isTopLevel ? "main" : Self.wholeName(function?.location.function),
      source: function?.location.source,
      path: function?.path, offset: Self.offset(address, image),
      origin: isThunk ? .system : Self.origin(function?.symbol, function?.path, image, true),
      symbol: function?.symbol, isGenerated: isThunk && image?.isOfSystem == false)
  }

  /// The beginning of the symbol of the asynchronous code at the top level of a program.
  private static let topLevel = "async_Main"

  /// Returns the name of a function with that of the function around it. The name of a closure at
  /// the top level of a program ends with the word before it.
  private static func wholeName(_ name: String?) -> String? {
    name.map { $0.hasSuffix(" in ") ? $0 + "main" : $0 }
  }

  private static func offset(_ address: UInt, _ image: LoadedImage?) -> String {
    guard let image else { return "0x" + String(address, radix: 16) }
    return "\(image.fileName)+0x" + String(address &- image.start, radix: 16)
  }

  private static func origin(
    _ symbol: String?, _ path: String?, _ image: LoadedImage?, _ isSwift: Bool
  ) -> Origin {
    guard let image, !image.isOfSystem, !isAddressor(symbol), !isCompletion(symbol) else {
      return .system
    }
    if let path {
      if isGenerated(path) || CodeCall.isOfToolchain(path: path) { return .system }
      return CodeCall.isOfDependency(path: path) ? .dependency : .user
    }
    // Without a symbol, only the file is known.
    guard let symbol else { return isSwift ? .user : .system }
    guard !symbol.hasPrefix(topLevel) else { return .user }
    guard !MangledName.isOfMacro(symbol) else { return .system }
    // Without debug information, the module is known from the symbol. C functions of the program
    // can be those of a library that is linked statically.
    guard let module = MangledName(symbol: symbol)?.modules?.ofType, !Demangler.isThunk(symbol)
    else { return .system }
    return modulesOfToolchain.contains(module) ? .system : .user
  }

  /// Returns whether the compiler generated a function that returns the address of a global
  /// variable (the operator `vau` in a mangled name). The use of the variable is in its caller.
  private static func isAddressor(_ symbol: String?) -> Bool { symbol?.hasSuffix("vau") == true }

  /// The variable whose address the function returns, or nil if it is another function.
  package var variable: String? {
    guard Self.isAddressor(symbol), let function else { return nil }
    let suffix = ".unsafeMutableAddressor"
    return function.hasSuffix(suffix) ? String(function.dropLast(suffix.count)) : function
  }

  /// Returns whether a function is the recorder's replacement of the runtime's function that
  /// completes a task.
  private static func isCompletion(_ symbol: String?) -> Bool {
    symbol?.hasPrefix("trace_completeTask_") == true
  }

  /// Returns whether a source file was generated: by a macro, by the build, or by the compiler.
  private static func isGenerated(_ path: String) -> Bool {
    path.contains("@__swiftmacro_") || path.contains(".derived/") || path.hasPrefix("<")
      || path.hasSuffix("<compiler-generated>")
  }

  private static let modulesOfToolchain: Set<String> = [
    "Swift", "_Concurrency", "_StringProcessing", "Foundation", "FoundationEssentials",
    "FoundationNetworking", "Dispatch", "Observation", "Synchronization", "Testing", "XCTest",
    "_Testing_Foundation", "Glibc", "Musl",
  ]
}

extension LoadedImage {
  var fileName: String { path.split(separator: "/").last.map(String.init) ?? path }

  /// A Boolean value that indicates whether the image is a library of the system or the toolchain.
  var isOfSystem: Bool {
    let name = fileName
    guard name.contains(".so") else { return isProgramOfToolchain }
    return path.hasPrefix("/lib") || path.hasPrefix("/usr/lib")
      || Self.librariesOfToolchain.contains { name.hasPrefix($0) }
  }

  /// A Boolean value that indicates whether the image is a program such as `swift-test`, which is
  /// next to the compiler of its toolchain.
  private var isProgramOfToolchain: Bool {
    guard let folder = path.lastIndex(of: "/").map({ path[..<$0] }) else { return false }
    return access("\(folder)/swift-frontend", F_OK) == 0
  }

  private static let librariesOfToolchain = [
    "libswift", "libFoundation", "lib_Foundation", "libdispatch", "libBlocksRuntime",
    "libTesting", "libXCTest", "lib_Testing",
  ]
}

extension InspectedFrame {
  /// A Boolean value that indicates whether the runtime or the compiler made the function, so that
  /// it doesn't show who started a task.
  package var isOfRuntime: Bool {
    guard origin == .system, !isOptimized else { return false }
    guard let symbol else { return true }
    return offset.hasPrefix("libswift_Concurrency") || symbol.contains("completeTask")
      || Demangler.isThunk(symbol) || MangledName(symbol: symbol)?.modules?.ofType == nil
  }

  /// A Boolean value that indicates whether the optimizer has put code of the program into a
  /// function that the compiler generated.
  package var isOptimized: Bool {
    guard origin == .system, let symbol, Demangler.isThunk(symbol), let path, source != nil else {
      return false
    }
    return path.hasSuffix(".swift") && !CodeCall.isOfDependency(path: path)
      && !path.contains("@__swiftmacro_") && !CodeCall.isOfToolchain(path: path)
  }

  /// A Boolean value that indicates whether the function belongs to the recorder, which runs the
  /// operation of a traced task.
  package var isOfRecorder: Bool {
    guard let module = symbol.flatMap({ MangledName(symbol: $0)?.modules?.ofType }) else {
      return false
    }
    return OwnModules.ofRecorder.contains(module)
  }
}
