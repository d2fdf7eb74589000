import SystemLibrary
import Testing

extension SourceLocation {
  /// The path of the source file, which doesn't have a public name before Swift 6.3.
  package var path: String {
    #if compiler(>=6.3)
      filePath
    #else
      _filePath
    #endif
  }

  /// Creates the location of a place such as `Shop/Cart.swift:31`. If there isn't one, this is the
  /// location of the test.
  init(_ place: String?, near test: SourceLocation) {
    let parts = place?.split(separator: ":", omittingEmptySubsequences: false) ?? []
    guard parts.count >= 2, let line = Int(parts[1]), line > 0, parts[0].contains("/"),
      let file = parts[0].split(separator: "/").last.map(String.init)
    else {
      self = test
      return
    }
    let fileID = String(parts[0])
    self.init(
      fileID: fileID,
      filePath: Self.path(of: file, module: fileID.prefix { $0 != "/" }, near: test) ?? fileID,
      line: line, column: parts.count > 2 ? max(1, Int(parts[2]) ?? 1) : 1)
  }

  /// Returns the path of a source file, if it is where SwiftPM expects it.
  ///
  /// Debug information has the names of files and modules, as `#fileID` does. IDEs need a path.
  private static func path(
    of file: String, module: Substring, near test: SourceLocation
  ) -> String? {
    var folder = test.path[...]
    while let slash = folder.lastIndex(of: "/") {
      folder = folder[..<slash]
      let candidates = ["", "/\(module)", "/Sources/\(module)", "/Tests/\(module)"]
      for candidate in candidates {
        let path = "\(folder)\(candidate)/\(file)"
        if access(path, F_OK) == 0 { return path }
      }
      // The root of the package.
      if access("\(folder)/Package.swift", F_OK) == 0 { return nil }
    }
    return nil
  }
}
