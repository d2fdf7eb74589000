import SystemLibrary
import TerminalUI

/// A reader for the contents of a directory.
package enum DirectoryListing {
  /// Returns the files and directories in a directory. Symbolic links are left out because they may
  /// form a cycle. The result is empty if the directory can't be read.
  package static func read(_ path: String) -> [SourceLocator.Entry] {
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var entries: [SourceLocator.Entry] = []
    while let entry = readdir(directory) {
      let name = name(entry)
      guard name != ".", name != "..", let kind = kind(of: path + "/" + name, entry) else {
        continue
      }
      entries.append(SourceLocator.Entry(name: name, isDirectory: kind == .directory))
    }
    return entries
  }

  /// Returns the names of everything in a directory, symbolic links included. The result is `nil`,
  /// and `errno` has the reason, if the directory can't be read.
  package static func names(in path: String) -> [String]? {
    guard let directory = RawPath.with(path, { opendir($0) }) else { return nil }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = rawName(entry)
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  private enum Kind {
    case file, directory
  }

  private static func name(_ entry: UnsafeMutablePointer<dirent>) -> String {
    String(cString: nameBytes(entry))
  }

  /// Returns a name that opens the file even if the name isn't UTF-8.
  private static func rawName(_ entry: UnsafeMutablePointer<dirent>) -> String {
    RawPath.make(nameBytes(entry))
  }

  private static func nameBytes(_ entry: UnsafeMutablePointer<dirent>) -> UnsafePointer<CChar> {
    let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
    return UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)
  }

  private static func kind(of path: String, _ entry: UnsafeMutablePointer<dirent>) -> Kind? {
    switch Int(entry.pointee.d_type) {
    case Int(DT_REG): return .file
    case Int(DT_DIR): return .directory
    case Int(DT_UNKNOWN): break
    default: return nil
    }
    // Some file systems do not report the type.
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .directory
    default: return nil
    }
  }
}
