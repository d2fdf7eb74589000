import SystemLibrary
package import TraceAnalysis
import ViewerConsole

/// The files that the operands of a command name: logs, and folders of logs.
package struct LogPaths {
  /// The files in the order of the operands, with `-` for standard input. The logs in a folder are
  /// sorted by name.
  package private(set) var files: [String] = []
  /// The reasons that folders can't be used.
  package private(set) var errors: [LogError] = []

  package init(_ operands: [String]) {
    for path in operands {
      guard LogPaths.isFolder(path) else {
        files.append(path)
        continue
      }
      do throws(LogError) {
        files += try LogPaths.logs(in: path)
      } catch {
        errors.append(error)
      }
    }
  }

  /// Reports whether a path names a folder. A folder with the name `-` is standard input.
  package static func isFolder(_ path: String) -> Bool {
    path != "-" && kind(of: path) == S_IFDIR
  }

  /// Returns the paths of the logs that are directly in a folder, sorted by name.
  ///
  /// Hidden files and files with other names are ignored, as are folders and pipes. A link to a
  /// log counts as a log. Opening a file reports whether it can be read.
  package static func logs(in folder: String) throws(LogError) -> [String] {
    guard let names = DirectoryListing.names(in: folder) else {
      throw .unreadableFolder(folder, reason: SystemError.reason(errno))
    }
    let start = folder.hasSuffix("/") ? folder : folder + "/"
    let logs = names.filter(isLog).map { start + $0 }
      .filter { [S_IFREG, nil].contains(kind(of: $0)) }
    guard !logs.isEmpty else { throw .noLogs(inFolder: folder) }
    return logs.sorted()
  }

  /// The endings of compressed files. Not all of these formats can be read, but ignoring a log
  /// would hide its findings.
  private static let compressed: Set<Substring> = ["gz", "zst", "xz", "bz2", "lz4", "zip"]

  /// Reports whether a file has the name of a log, or of a further file of one, such as
  /// `run.jsonl.2.gz`.
  static func isLog(_ name: String) -> Bool {
    guard !name.hasPrefix(".") else { return false }
    var parts = name.split(separator: ".", omittingEmptySubsequences: false)
    if parts.last.map(compressed.contains) == true { parts.removeLast() }
    if parts.count > 2, parts.last.flatMap({ Int($0) }) != nil { parts.removeLast() }
    return parts.count > 1 && parts.last == "jsonl"
  }

  /// Returns the type of what is at a path, or `nil` if it isn't known.
  private static func kind(of path: String) -> mode_t? {
    var status = stat()
    return RawPath.with(path) { stat($0, &status) } == 0 ? status.st_mode & S_IFMT : nil
  }
}
