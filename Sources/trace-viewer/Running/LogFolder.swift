import CViewer.Commands
import SystemLibrary
import ViewerConsole

/// The folder in which the processes of a run write their logs.
///
/// Nobody else can write there, so every file in it is a log of this run.
final class LogFolder: Sendable {
  /// The absolute path.
  let path: String
  /// A Boolean value that indicates whether the folder stays.
  let isKept: Bool
  private let name: String
  /// The folder that contains this one.
  private let parent: Int32
  private let descriptor: Int32
  /// A Boolean value that is true if the folder is still there.
  private let isThere = BlockingMutex(true)

  /// The number of bytes that a path must have left for the name of a log.
  private static let nameLength = 128

  /// Creates a folder that is removed after the run.
  ///
  /// - Parameter temporary: The folder for temporary files; `nil` for the one of the system.
  convenience init(temporary: String?) throws(RunFailure) {
    let outer = try LogFolder.whole(temporary.flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp") {
      "A folder for the logs cannot be created in \(RawPath.shown($0)): \($1). "
        + "Set TMPDIR to a folder that you can write to."
    }
    var template = RawPath.bytes(outer + "/trace-viewer-XXXXXX").map { CChar(bitPattern: $0) } + [0]
    guard mkdtemp(&template) != nil else {
      throw RunFailure(
        .cannotWrite,
        "A folder for the logs cannot be created in \(RawPath.shown(outer)): "
          + "\(SystemError.reason(errno)). Set TMPDIR to a folder that you can write to.")
    }
    try self.init(template.withUnsafeBufferPointer { $0.baseAddress.map(RawPath.make) } ?? outer)
  }

  private init(_ path: String) throws(RunFailure) {
    let parts = RawPath.parts(path)
    self.path = path
    isKept = false
    name = parts.name
    parent = LogFolder.open(parts.folder)
    descriptor = LogFolder.open(path)
    guard parent >= 0, descriptor >= 0 else {
      let reason = SystemError.reason(errno)
      _ = RawPath.with(path) { rmdir($0) }
      throw RunFailure(
        .cannotWrite, "The folder \(RawPath.shown(path)) cannot be opened: \(reason).")
    }
  }

  /// Creates a folder that stays, or takes an empty one.
  init(kept path: String) throws(RunFailure) {
    let shown = RawPath.shown(path)
    if RawPath.with(path, { mkdir($0, 0o777) }) != 0, errno != EEXIST {
      throw RunFailure(
        .cannotWrite, "The folder '\(shown)' cannot be created: \(SystemError.reason(errno)).")
    }
    self.path = try LogFolder.whole(path) {
      "The folder '\(RawPath.shown($0))' cannot be used: \($1)."
    }
    guard let isEmpty = LogFolder.isEmpty(path) else {
      throw RunFailure(
        .usage, "'\(shown)' is not a folder that you can read. Name another one with '--keep'.")
    }
    guard isEmpty else {
      throw RunFailure(
        .usage,
        """
        The folder '\(shown)' is not empty. Name a new folder with '--keep', so that the logs of \
        this run do not mix with others.
        """
      )
    }
    guard RawPath.with(path, { access($0, W_OK | X_OK) }) == 0 else {
      throw RunFailure(
        .cannotWrite, "The folder '\(shown)' cannot be written to: \(SystemError.reason(errno)).")
    }
    isKept = true
    name = ""
    parent = -1
    descriptor = -1
  }

  deinit {
    if parent >= 0 { close(parent) }
    if descriptor >= 0 { close(descriptor) }
  }

  /// The value of `REACTIVE_TRACE` that gives every process a log of its own.
  ///
  /// `%t` is different for each log. The process ID alone is not unique: the system reuses it, and
  /// a process keeps it when it executes another program.
  var logPattern: String { path.replacing("%", with: "%%") + "/%p-%t.jsonl" }

  /// The paths of the logs in the folder. A log may have additional files, whose names have a
  /// number before or after the ending.
  var files: [String] {
    DirectoryListing.read(path).filter { !$0.isDirectory && $0.name.contains(".jsonl") }
      .map { path + "/" + $0.name }.sorted()
  }

  /// Removes the folder and everything in it, unless it is to be kept. Any thread may call this
  /// method, any number of times.
  ///
  /// - Returns: A sentence if something could not be removed; otherwise `nil`.
  @discardableResult
  func remove() -> String? {
    guard !isKept else { return nil }
    return isThere.withLock { isThere in
      guard isThere else { return nil }
      isThere = false
      guard !RawPath.with(name, { process_remove_folder(parent, $0, descriptor) }) else {
        return nil
      }
      return "\(RawPath.shown(path)): The folder cannot be removed: \(SystemError.reason(errno))."
    }
  }

  // MARK: Paths

  /// Returns the absolute path of a folder that the recorder of a process can write to.
  private static func whole(
    _ path: String, _ sentence: (_ path: String, _ reason: String) -> String
  ) throws(RunFailure) -> String {
    guard let whole = RealPath.of(path) else {
      throw RunFailure(.cannotWrite, sentence(path, SystemError.reason(errno)))
    }
    let bytes = RawPath.bytes(whole)
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw RunFailure(.cannotWrite, sentence(path, "its path is not UTF-8"))
    }
    guard bytes.count + nameLength < Int(PATH_MAX) else {
      throw RunFailure(.cannotWrite, sentence(path, SystemError.reason(ENAMETOOLONG)))
    }
    return whole
  }

  private static func open(_ path: String) -> Int32 {
    RawPath.with(path) { systemOpen($0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) }
  }

  /// Reports whether a folder has no entries. The result is `nil` if the folder can't be read.
  private static func isEmpty(_ path: String) -> Bool? {
    guard let directory = RawPath.with(path, { opendir($0) }) else { return nil }
    defer { closedir(directory) }
    var count = 0
    while readdir(directory) != nil { count += 1 }
    // A folder contains itself and its parent.
    return count <= 2
  }
}

/// Opens a file whose name need not be UTF-8.
private func systemOpen(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 {
  open(path, flags)
}
