import Foundation

/// The folder for everything that this test run writes: `trace-tests-<pid>` among the system's
/// temporary files.
///
/// It is removed when the process exits. If a run is killed, a later run removes its folder.
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

  /// Creates a new folder in it. The caller removes that folder.
  package static func makeFolder() throws -> String {
    var template = Array((path + "/XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else { throw CocoaError(.fileWriteUnknown) }
    return template.withUnsafeBufferPointer {
      $0.baseAddress.map { String(cString: $0) } ?? ""
    }
  }

  private static let prefix = "trace-tests-"

  private static func remove() {
    // A forked child that calls `exit` also has the handler, but does not own the folder.
    guard path.hasSuffix("-\(getpid())") else { return }
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Removes the folders of runs whose process has ended.
  ///
  /// A process in another container is not visible from here, so the folder must also be a day old.
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
