import SystemLibrary
import TerminalUI
import TraceAnalysis
import TraceFormat

/// Where the settings of a project lie.
enum SettingsFile {
  static let name = ".trace-viewer.json"

  /// What stands at a path, and to which user it belongs.
  struct Entry: Equatable {
    let owner: UInt32

    /// Of what a link leads to; nil where nothing is.
    static func at(_ path: String) -> Entry? {
      var status = stat()
      return RawPath.with(path) { stat($0, &status) } == 0 ? Entry(owner: status.st_uid) : nil
    }
  }

  enum Search: Equatable {
    case found(String)
    /// Somebody else may have put it there.
    case foreign(String)
    case none
  }

  /// Looks for the settings file of the nearest directory that has one: `directory` or one above it.
  ///
  /// The search ends at the first directory that has `.git`, at the home directory, and before a directory of another user: neither a
  /// repository nor what the user owns is left.
  ///
  /// - Parameters:
  ///   - directory: An absolute path; the search of a relative path ends with the path itself.
  ///   - user: whose files are trusted, beside those of the system and of whoever owns `directory`.
  static func search(
    from directory: String, home: String?, user: UInt32 = geteuid(),
    look: (String) -> Entry? = Entry.at
  ) -> Search {
    var trusted: Set<UInt32> = [0, user]
    // In a container the files of a project may belong to a user whom it does not know.
    if let owner = look(directory.isEmpty ? "." : directory)?.owner { trusted.insert(owner) }
    let home = home.map(withoutSlash)
    var current = directory[...]
    while true {
      current = withoutSlash(current)
      let start = current.isEmpty || current.hasSuffix("/") ? current : current + "/"
      if let entry = look(start + name) {
        return trusted.contains(entry.owner) ? .found(start + name) : .foreign(start + name)
      }
      if look(start + ".git") != nil || current == home { return .none }
      guard current != "/", !current.isEmpty else { return .none }
      current = parent(of: current)
      if let above = look(current.isEmpty ? "." : String(current)),
        !trusted.contains(above.owner)
      {
        return .none
      }
    }
  }

  private static func withoutSlash(_ path: some StringProtocol) -> Substring {
    var path = Substring(path)
    while path.utf8.count > 1, path.hasSuffix("/") { path = path.dropLast() }
    return path
  }

  // MARK: Its folder

  /// A path that stands in a settings file, as the file system takes it; nil where it leads out of the folder of that file.
  static func resolve(_ path: String, besides file: String) -> String? {
    var level = 0
    for part in path.utf8.split(separator: UInt8(ascii: "/")) where !part.elementsEqual(".".utf8) {
      level += part.elementsEqual("..".utf8) ? -1 : 1
      if level < 0 { return nil }
    }
    return path.hasPrefix("/") ? nil : parent(of: file[...], withSlash: true) + path
  }

  /// Whether a file lies in the folder of a settings file, wherever links lead; also one that is not there yet.
  static func isInside(_ path: String, folderOf file: String) -> Bool {
    let folder = String(parent(of: file[...], withSlash: true))
    guard let real = RealPath.of(folder.isEmpty ? "." : folder) else { return false }
    var status = stat()
    let isThere = RawPath.with(path) { lstat($0, &status) } == 0
    // Of a file that is to be made, the directory counts; a link that leads nowhere may lead anywhere.
    let above = parent(of: path[...], withSlash: true)
    let place = isThere ? RealPath.of(path) : RealPath.of(above.isEmpty ? "." : String(above))
    // A directory that is missing is nowhere: what is said about it is for whoever opens the file.
    guard let place else { return !isThere }
    return real == "/" || place == real || place.hasPrefix(real + "/")
  }

  private static func parent(of path: Substring, withSlash: Bool = false) -> Substring {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
    let isRoot = slash == path.startIndex
    return withSlash || isRoot ? path[...slash] : path[..<slash]
  }
}
