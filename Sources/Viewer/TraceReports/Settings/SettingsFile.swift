import SystemLibrary
import TerminalUI
import TraceAnalysis
import TraceFormat
import ViewerConsole

/// Functions that locate the settings file of a project.
package enum SettingsFile {
  package static let name = ".trace-viewer.json"

  /// An existing path and the user who owns it.
  struct Entry: Equatable {
    let owner: UInt32

    /// Returns the entry at a path, if any. A link is followed to its target.
    static func at(_ path: String) -> Entry? {
      var status = stat()
      return RawPath.with(path) { stat($0, &status) } == 0 ? Entry(owner: status.st_uid) : nil
    }
  }

  enum Search: Equatable {
    case found(String)
    /// The file belongs to another user, who may have put it there.
    case foreign(String)
    case none
  }

  /// Finds the settings file in `directory` or in the nearest directory above that has one.
  ///
  /// The search ends at the first directory that contains `.git`, at the home directory, and before
  /// a directory of another user. It leaves neither the repository nor the directories of the user.
  ///
  /// - Parameters:
  ///   - directory: An absolute path. The search of a relative path ends with the path itself.
  ///   - user: A user whose files are trusted, in addition to those of the system and of the owner
  ///     of `directory`.
  static func search(
    from directory: String, home: String?, user: UInt32 = geteuid(),
    look: (String) -> Entry? = Entry.at
  ) -> Search {
    var trusted: Set<UInt32> = [0, user]
    // In a container, the files of a project may belong to a user that does not exist in the
    // container.
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

  /// Returns a path from a settings file as a path for the file system, or `nil` if it leads out of
  /// the folder of that file.
  static func resolve(_ path: String, inFolderOf file: String) -> String? {
    var level = 0
    for part in path.utf8.split(separator: UInt8(ascii: "/")) where !part.elementsEqual(".".utf8) {
      level += part.elementsEqual("..".utf8) ? -1 : 1
      if level < 0 { return nil }
    }
    return path.hasPrefix("/") ? nil : parent(of: file[...], withSlash: true) + path
  }

  /// Reports whether a file is in the folder of a settings file, after links are resolved. The file
  /// need not exist yet.
  static func isInside(_ path: String, folderOf file: String) -> Bool {
    let folder = String(parent(of: file[...], withSlash: true))
    guard let real = RealPath.of(folder.isEmpty ? "." : folder) else { return false }
    var status = stat()
    let isThere = RawPath.with(path) { lstat($0, &status) } == 0
    // For a new file, its directory is checked. A dangling link may lead anywhere.
    let above = parent(of: path[...], withSlash: true)
    let location = isThere ? RealPath.of(path) : RealPath.of(above.isEmpty ? "." : String(above))
    // A missing directory is not an error here. Opening the file reports it.
    guard let location else { return !isThere }
    return real == "/" || location == real || location.hasPrefix(real + "/")
  }

  private static func parent(of path: Substring, withSlash: Bool = false) -> Substring {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
    let isRoot = slash == path.startIndex
    return withSlash || isRoot ? path[...slash] : path[..<slash]
  }
}
