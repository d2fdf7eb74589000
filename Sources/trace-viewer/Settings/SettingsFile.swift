/// Where the settings of a project lie.
enum SettingsFile {
  static let name = ".trace-viewer.json"

  /// The settings file of the nearest directory that has one: `directory` or one above it. A repository is not left: the
  /// search ends at the first directory that has `.git`.
  /// - Parameter directory: An absolute path; the one of a relative path ends with the path itself.
  static func find(from directory: String, exists: (String) -> Bool) -> String? {
    var current = Substring(directory)
    while true {
      while current.utf8.count > 1, current.hasSuffix("/") { current = current.dropLast() }
      let start = current.isEmpty || current.hasSuffix("/") ? current : current + "/"
      if exists(start + name) { return start + name }
      if exists(start + ".git") { return nil }
      guard current != "/", !current.isEmpty else { return nil }
      current = parent(of: current)
    }
  }

  /// A path that stands in a file, as the file system takes it.
  static func resolve(_ path: String, besides file: String) -> String {
    path.hasPrefix("/") ? path : parent(of: file[...], withSlash: true) + path
  }

  private static func parent(of path: Substring, withSlash: Bool = false) -> Substring {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
    let isRoot = slash == path.startIndex
    return withSlash || isRoot ? path[...slash] : path[..<slash]
  }
}
