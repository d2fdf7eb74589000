import SystemLibrary
import TerminalUI
import TraceAnalysis
import TraceFormat
package import ViewerConsole

/// The file next to a log that keeps what a user arranged and noted in the interactive view.
package struct ViewFile: Sendable {
  package let path: String
  private let log: String

  /// The result of reading the file.
  package enum Content: Equatable, Sendable {
    case missing
    case view(SavedView)
    /// The file can't be used, with the reason as a sentence. It isn't overwritten.
    case unusable(String)

    package var view: SavedView? {
      if case .view(let view) = self { view } else { nil }
    }

    package var reason: String? {
      if case .unusable(let sentence) = self { sentence } else { nil }
    }
  }

  private static let kind = "trace-viewer-view"
  private static let version = 1
  /// The maximum size in bytes, so that no file makes the view slow.
  private static let maxBytes = 1 << 20
  /// The maximum number of files for the notes of logs that had the same path.
  private static let maxOthers = 1000

  /// Returns the file for the logs of a command line, or `nil` if they aren't one regular file.
  package init?(logs: [String]) {
    guard logs.count == 1, let log = logs.first, log != "-", !log.isEmpty else { return nil }
    var status = stat()
    let isThere = RawPath.with(log) { stat($0, &status) } == 0
    guard !isThere || status.st_mode & S_IFMT == S_IFREG else { return nil }
    self.log = log
    path = log + ".view.json"
  }

  package func read() -> Content {
    // A link may lead to any file, which must neither be shown nor replaced.
    if let status, status.st_mode & S_IFMT == S_IFLNK {
      return .unusable("The file is a symbolic link.")
    }
    switch InputFile.read(path, maxBytes: Self.maxBytes) {
    case .missing: return .missing
    case .failure(let sentence): return .unusable(sentence)
    case .bytes(let bytes):
      do throws(JSONError) {
        return .view(try Self.view(in: bytes))
      } catch {
        return .unusable(error.description)
      }
    }
  }

  /// The status of the file or of the link at the path, or `nil` if there is nothing.
  private var status: stat? {
    var status = stat()
    return RawPath.with(path) { lstat($0, &status) } == 0 ? status : nil
  }

  // MARK: Writing

  /// Writes a view, unless the file can't be used. Notes that another viewer of the log wrote in
  /// the meantime are kept, and notes of another log get a file of their own.
  ///
  /// The file is complete at each moment, because it is written under a temporary name and renamed.
  ///
  /// - Parameter base: The view when it was last read or written, if it was.
  package func write(_ view: SavedView, since base: SavedView? = nil) -> SavedView.Written {
    let folder = LockedFolder(of: path)
    defer { folder.unlock() }
    var view = view
    var hasOtherNotes = false
    switch read() {
    case .missing: break
    case .unusable(let reason): return failed(reason)
    case .view(let stored) where stored.trace == view.trace:
      view.merge(stored.notes, since: base?.trace == view.trace ? base?.notes ?? [] : [])
      if view == stored { return .done }
    case .view(let stored): hasOtherNotes = !stored.notes.isEmpty
    }
    let bytes = Self.bytes(of: view)
    guard bytes.count <= Self.maxBytes else {
      return failed("It would be longer than \(Self.maxBytes >> 20) MB.")
    }
    var other: String?
    if hasOtherNotes {
      guard let name = nameOther() else { return failed(errno) }
      other = name
    }
    // A viewer that was killed may have left the file. No other viewer writes it under the lock.
    let part = folder.isLocked ? "\(path).part" : "\(path).\(getpid()).part"
    _ = RawPath.with(part) { unlink($0) }
    var code = write(bytes, to: part)
    if code == nil, RawPath.with(part, { part in RawPath.with(path) { rename(part, $0) } }) != 0 {
      code = errno
    }
    if let code {
      _ = RawPath.with(part) { unlink($0) }
      if let other { _ = RawPath.with(other) { unlink($0) } }
      return failed(code)
    }
    return other.map { .movedOther(to: $0) } ?? .done
  }

  private func failed(_ reason: String) -> SavedView.Written {
    .failed(SavedView.Failure(path: path, reason: reason))
  }

  private func failed(_ code: Int32) -> SavedView.Written {
    failed(SystemError.reason(code) + ".")
  }

  /// Gives the present file another name in addition, and returns it. On failure, returns `nil` and
  /// sets `errno`.
  private func nameOther() -> String? {
    for number in 1...Self.maxOthers {
      let name = "\(log).\(number).view.json"
      let code = RawPath.with(path) { path in RawPath.with(name) { link(path, $0) } }
      if code == 0 { return name }
      if errno != EEXIST { return nil }
    }
    return nil
  }

  private func write(_ bytes: [UInt8], to part: String) -> Int32? {
    let descriptor = RawPath.with(part) {
      open($0, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY, 0o600)
    }
    guard descriptor >= 0 else { return errno }
    share(descriptor)
    return OutputFile.write(to: descriptor) { $0.write(bytes) }
  }

  /// Gives an open file the group and the read permissions of the log.
  private func share(_ descriptor: Int32) {
    var log = stat()
    guard RawPath.with(self.log, { stat($0, &log) }) == 0 else { return }
    _ = fchown(descriptor, .max, log.st_gid)
    var new = stat()
    guard fstat(descriptor, &new) == 0 else { return }
    var readers = log.st_mode & (S_IRGRP | S_IROTH)
    // Another group is among those who can read the log only if everybody is.
    if new.st_gid != log.st_gid, readers != S_IRGRP | S_IROTH { readers = 0 }
    // The user may have restricted the old file.
    if let old = status { readers &= old.st_mode }
    _ = fchmod(descriptor, S_IRUSR | S_IWUSR | readers)
  }

  // MARK: JSON

  private static func bytes(of view: SavedView) -> [UInt8] {
    var writer = JSONWriter(.indented)
    writer.object { writer in
      writer.string("kind", kind)
      writer.integer("version", version)
      writer.string("trace", view.trace)
      if !view.filter.isEmpty { writer.string("filter", view.filter) }
      if view.leaksOnly { writer.bool("leaksOnly", true) }
      if let grouping = view.grouping { writer.string("grouping", grouping) }
      if let order = view.order { writer.string("order", order) }
      if !view.pinned.isEmpty { strings("pinned", view.pinned, &writer) }
      if !view.notes.isEmpty {
        writer.array("notes") { writer in
          for note in view.notes {
            writer.object { writer in
              writer.integer("time", stored(note.time))
              writer.string("text", note.text)
            }
          }
        }
      }
      if !view.marks.isEmpty {
        writer.array("marks") { writer in view.marks.forEach { writer.integer(nil, stored($0)) } }
      }
      if let window = view.window {
        writer.object("window") { writer in
          writer.integer("start", stored(window.start))
          writer.integer("duration", stored(window.duration))
        }
      }
      writer.object("position") { writer in
        writer.integer("cursor", stored(view.position.cursor))
        if !view.position.lane.isEmpty { strings("lane", view.position.lane, &writer) }
        if let number = view.position.subscription {
          writer.integer("subscription", stored(number))
        }
        if let pane = view.position.pane { writer.string("pane", pane) }
      }
    }
    writer.newline()
    return Array(writer.bytes)
  }

  /// Returns a number that can be read again. Only damaged logs have larger ones.
  private static func stored(_ number: UInt64) -> UInt64 { min(number, UInt64(Int.max)) }

  private static func strings(_ key: String, _ values: [String], _ writer: inout JSONWriter) {
    writer.array(key) { writer in values.forEach { writer.string(nil, $0) } }
  }

  private static func view(in bytes: [UInt8]) throws(JSONError) -> SavedView {
    let root = try JSONDocument(bytes).node
    try checkVersion(root)
    let members = try root.members(
      only: [
        "kind", "version", "trace", "filter", "leaksOnly", "grouping", "order", "pinned", "notes",
        "marks", "window", "position",
      ], "a view of trace-viewer")
    guard let kindNode = members["kind"], try kindNode.string() == kind,
      let trace = members["trace"]
    else { throw root.mustBe("a view of trace-viewer with 'kind' and 'trace'") }
    var view = SavedView(trace: try trace.string())
    view.filter = try members["filter"]?.string() ?? ""
    view.leaksOnly = try members["leaksOnly"]?.bool() ?? false
    view.grouping = try members["grouping"]?.string()
    view.order = try members["order"]?.string()
    view.pinned = try members["pinned"].map(strings) ?? []
    for node in try members["notes"]?.elements() ?? [] {
      let note = try node.members(only: ["time", "text"])
      guard let time = note["time"], let text = note["text"] else {
        throw node.mustBe("an object with 'time' and 'text'")
      }
      view.notes.append(.init(time: try Self.time(time), text: try text.string()))
    }
    for node in try members["marks"]?.elements() ?? [] { view.marks.append(try time(node)) }
    if let node = members["window"] {
      let window = try node.members(only: ["start", "duration"])
      guard let start = window["start"], let duration = window["duration"] else {
        throw node.mustBe("an object with 'start' and 'duration'")
      }
      view.window = .init(start: try time(start), duration: try time(duration))
    }
    if let node = members["position"] { view.position = try position(node) }
    return view
  }

  /// Checks the version first, because a later one may have keys that this one doesn't know.
  private static func checkVersion(_ root: JSONNode) throws(JSONError) {
    let members = try root.members("a view of trace-viewer")
    guard let node = members.first(where: { $0.key == "version" })?.node else { return }
    let number = try node.integer(atLeast: 1)
    guard number > version else { return }
    throw .content(
      node.path, node.value.location, "must be \(version)",
      advice: "A newer trace-viewer wrote this file. Use that version.")
  }

  private static func position(_ node: JSONNode) throws(JSONError) -> SavedView.Position {
    let members = try node.members(only: ["cursor", "lane", "subscription", "pane"])
    var position = SavedView.Position()
    if let cursor = members["cursor"] { position.cursor = try time(cursor) }
    position.lane = try members["lane"].map(strings) ?? []
    position.subscription = try members["subscription"].map(time)
    position.pane = try members["pane"]?.string()
    return position
  }

  private static func time(_ node: JSONNode) throws(JSONError) -> UInt64 {
    UInt64(try node.integer(atLeast: 0))
  }

  private static func strings(_ node: JSONNode) throws(JSONError) -> [String] {
    var texts: [String] = []
    for element in try node.elements() { texts.append(try element.string()) }
    return texts
  }
}

/// A lock on a folder, so that two viewers don't change a file in it at the same time.
private struct LockedFolder {
  private let descriptor: Int32
  /// False if the folder can't be locked, or if another program has locked it for too long.
  let isLocked: Bool
  /// The longest wait, in tries of 10 ms. A viewer holds the lock for less than that.
  private static let maxTries = 50

  /// Locks the folder of a file.
  init(of path: String) {
    descriptor = RawPath.with(RawPath.parts(path).folder) {
      open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }
    isLocked = descriptor >= 0 && Self.lock(descriptor)
  }

  private static func lock(_ descriptor: Int32) -> Bool {
    for _ in 0..<maxTries {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
      guard errno == EWOULDBLOCK || errno == EINTR else { return false }
      usleep(10_000)
    }
    return false
  }

  func unlock() {
    if descriptor >= 0 { close(descriptor) }
  }
}
