import CodeLocations
import SystemLibrary

/// Whose source code something is. A finding describes a cycle with the code of the smallest value.
enum CodeOwner: Int, Comparable {
  /// The of the program, or the package with the tests.
  case program
  /// Another that isn't a downloaded dependency.
  case otherPackage
  /// A that SwiftPM downloaded.
  case dependency

  static func < (left: CodeOwner, right: CodeOwner) -> Bool {
    left.rawValue < right.rawValue
  }

  /// A Boolean value that indicates whether users change the code.
  var isEditable: Bool { self < .dependency }
}

/// Decides whose source code something is, given where its files were when they were compiled.
struct SourceOwners {
  /// Code with a source file.
  struct Source {
    let module: String?
    let path: String

    init(module: String?, path: String) {
      self.module = module
      self.path = path
    }
  }

  private let isPackage: (_ folder: String) -> Bool
  /// The folder of the program's package, or nil if it is unknown.
  private let root: String?
  private let program: String
  private var owners: [String: CodeOwner] = [:]

  /// - Parameters:
  ///   - program: The path of the program that runs.
  ///   - sources: The known source files.
  ///   - isPackage: Returns whether a folder has a package.
  init(
    program: String, _ sources: [Source],
    isPackage: @escaping (_ folder: String) -> Bool = SourceOwners.hasManifest
  ) {
    self.isPackage = isPackage
    let name = program.split(separator: "/").last.map(String.init) ?? ""
    self.program = String(name.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    let build = program.firstRange(of: "/.build/").map { String(program[..<$0.lowerBound]) }
    root = build ?? Self.root(ofProgram: self.program, isTest: name.hasSuffix(".xctest"), sources)
    for source in sources {
      guard let module = source.module else { continue }
      owners[module] = min(owners[module] ?? .dependency, owner(ofPath: source.path))
    }
  }

  static func hasManifest(_ folder: String) -> Bool {
    RawPath.with("\(folder)/Package.swift") { access($0, F_OK) } == 0
  }

  /// Returns the folder of the that has the sources of a program.
  private static func root(
    ofProgram name: String, isTest: Bool, _ sources: [Source]
  ) -> String? {
    // The order of the sources changes from run to run.
    let own = sources.filter { source in
      guard !CodeCall.isOfDependency(path: source.path) else { return false }
      return isTest ? source.path.contains("/Tests/") : source.module == name
    }
    return own.map(\.path).min().flatMap(folder(ofPackageWith:))
  }

  /// Returns the folder around the folder with sources or tests.
  private static func folder(ofPackageWith path: String) -> String? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    return parts.lastIndex { $0 == "Sources" || $0 == "Tests" }
      .map { parts[..<$0].joined(separator: "/") }
  }

  /// Returns whose code a file has.
  func owner(ofPath path: String) -> CodeOwner {
    if CodeCall.isOfDependency(path: path) { return .dependency }
    guard let root else { return .program }
    let folder = Self.folder(ofPackageWith: path)
    if folder == root { return .program }
    guard path.hasPrefix(root + "/") else { return .otherPackage }
    return folder.map { $0 != root && isPackage($0) } == true ? .otherPackage : .program
  }

  /// Returns whose code a module has. A module without known files is the program's.
  func owner(ofModule module: String) -> CodeOwner {
    if OwnModules.contain(module) { return .dependency }
    if module == program { return .program }
    return owners[module] ?? .program
  }
}
