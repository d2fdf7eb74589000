import Foundation

/// The folder that holds whatever this test run writes, `trace-tests-<pid>` among the system's temporary files.
///
/// It goes away with the process. What a run leaves that was killed goes away with a later one.
package enum TemporaryRoot {
  /// The path of the folder, without symbolic links.
  package static let path: String = {
    let parent = realPath(NSTemporaryDirectory())
    removeOrphans(in: parent)
    let path = parent + "/" + prefix + "\(getpid())"
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    atexit { TemporaryRoot.remove() }
    return path
  }()

  /// Makes a new folder in it, which whoever asks for it removes.
  package static func makeFolder() throws -> String {
    var template = Array((path + "/XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else { throw CocoaError(.fileWriteUnknown) }
    return template.withUnsafeBufferPointer {
      $0.baseAddress.map { String(cString: $0) } ?? ""
    }
  }

  private static let prefix = "trace-tests-"

  private static func remove() {
    // A forked child that calls `exit` has the handler, too, but not the folder.
    guard path.hasSuffix("-\(getpid())") else { return }
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Removes folders of runs whose process is gone. A process in another container cannot be seen from here, so the folder
  /// has to be a day old, too.
  private static func removeOrphans(in parent: String) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    where name.hasPrefix(prefix) {
      let path = parent + "/" + name
      guard let process = pid_t(name.dropFirst(prefix.count)), kill(process, 0) != 0,
        errno == ESRCH,
        let attributes = try? FileManager.default.attributesOfItem(atPath: path),
        let time = attributes[.modificationDate] as? Date, time.timeIntervalSinceNow < -86_400
      else { continue }
      try? FileManager.default.removeItem(atPath: path)
    }
  }

  private static func realPath(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }
}
