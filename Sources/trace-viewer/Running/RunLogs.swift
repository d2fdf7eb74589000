import SystemLibrary
import TraceAnalysis
import TraceFormat

/// The logs that the processes of a run wrote, with names for reports.
///
/// A path is different in each run. A name consists of the name of the process, and a number if
/// several processes have that name. Therefore, reports of two runs can be compared. If the logs
/// stay after the run, names are paths, so that whoever reads a report finds the file.
struct RunLogs {
  struct File: Equatable {
    let path: String
    let name: String
    /// The process that wrote the log, if the log says so.
    let process: pid_t?
  }

  /// The files in the order in which the processes began to trace.
  let files: [File]

  /// The maximum size of a first line.
  private static let longestHeader = 1 << 16

  /// - Parameter folder: The folder in which the logs stay, as the user named it; `nil` if they
  ///   are removed.
  init(_ paths: [String], keptIn folder: String? = nil) {
    let headed = paths.map { (path: $0, header: RunLogs.header(of: $0)) }
    let sorted = headed.sorted { RunLogs.order($0) < RunLogs.order($1) }
    var numbers: [String: [String]] = [:]
    files = sorted.map { path, header in
      let process = header?.process ?? "unknown process"
      let trace = header?.trace ?? path
      var known = numbers[process] ?? []
      if !known.contains(trace) { known.append(trace) }
      numbers[process] = known
      let number = (known.firstIndex(of: trace) ?? 0) + 1
      var name = number == 1 ? process : "\(process) (\(number))"
      if let segment = header?.segment, segment > 1 { name += ", file \(segment)" }
      if let folder { name = RunLogs.path(of: path, in: folder) }
      return File(
        path: path, name: name, process: header?.pid.flatMap { pid_t(exactly: $0) })
    }
  }

  private static func path(of file: String, in folder: String) -> String {
    let name = file.split(separator: "/").last.map(String.init) ?? file
    return folder.hasSuffix("/") ? folder + name : folder + "/" + name
  }

  /// The names of the processes that are still writing one of the logs that have no end.
  ///
  /// - Parameter unfinished: The names of the logs that have no end.
  func running(_ unfinished: Set<String>) -> [String] {
    files.filter { file in
      guard unfinished.contains(file.name), let process = file.process else { return false }
      // A child that does not trace may hold the lock of a process that has exited.
      return (kill(process, 0) == 0 || errno == EPERM) && RunLogs.isLocked(file.path)
    }.map(\.name)
  }

  private static func order(_ log: (path: String, header: TraceHeader?)) -> OrderKey {
    OrderKey(
      started: log.header?.started ?? "", trace: log.header?.trace ?? "",
      segment: log.header?.segment ?? 0, path: log.path)
  }

  private struct OrderKey: Comparable {
    let started: String
    let trace: String
    let segment: UInt64
    let path: String

    static func < (left: OrderKey, right: OrderKey) -> Bool {
      (left.started, left.trace, left.segment, left.path)
        < (right.started, right.trace, right.segment, right.path)
    }
  }

  private static func header(of path: String) -> TraceHeader? {
    let bytes = [UInt8](unsafeUninitializedCapacity: longestHeader) { buffer, count in
      let file = RawPath.with(path) { open($0, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) }
      guard file >= 0 else { return }
      count = max(0, systemRead(file, buffer.baseAddress, buffer.count))
      close(file)
    }
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    return bytes[..<end].withUnsafeBufferPointer { line in
      var parser = RecordParser()
      guard case .trace(let header)? = try? parser.parse(line).body else { return nil }
      return header
    }
  }

  /// Reports whether a recorder is writing the file.
  private static func isLocked(_ path: String) -> Bool {
    let file = RawPath.with(path) { open($0, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) }
    guard file >= 0 else { return false }
    defer { close(file) }
    return flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }
}
