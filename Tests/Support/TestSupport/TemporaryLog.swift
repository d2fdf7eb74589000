import Foundation
import Testing

/// A folder for the log of one test. It is removed together with this object.
///
/// If `TRACE_KEEP_LOGS` names a folder, the logs of the recorder's tests go there instead of
/// being removed. `Tests/Scripts/log-schema.py` reads them.
package final class TemporaryLog {
  package let folder: String
  private let isKept: Bool

  package init(fileID: String = #fileID) throws {
    folder = try TemporaryRoot.makeFolder()
    isKept = fileID.hasPrefix("ReactiveTraceTests/")
  }

  deinit {
    if isKept, let target = Self.keptLogs { keep(in: target) }
    try? FileManager.default.removeItem(atPath: folder)
  }

  private static let keptLogs = ProcessInfo.processInfo.environment["TRACE_KEEP_LOGS"]

  private func keep(in target: String) {
    let name = folder.split(separator: "/").suffix(2).joined(separator: "-")
    for file in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    where file.hasPrefix("log.jsonl") {
      try? FileManager.default.moveItem(
        atPath: "\(folder)/\(file)", toPath: "\(target)/\(name)-\(file)")
    }
  }

  package var path: String { folder + "/log.jsonl" }

  /// Returns the bytes as text. Throws if they are not UTF-8.
  package func text(_ path: String? = nil) throws -> String {
    let data = try Data(contentsOf: URL(fileURLWithPath: path ?? self.path))
    return try #require(String(validating: Array(data), as: UTF8.self))
  }

  package func lines(_ path: String? = nil) throws -> [String] {
    try text(path).split(separator: "\n").map(String.init)
  }

  /// Returns the records of all lines that are not blank, read by Foundation's JSON parser instead
  /// of the project's.
  ///
  /// One thread parses at a time. Foundation asks the language runtime for a type at each string,
  /// and on Linux all threads take one lock for the answer: 24 threads on two cores switched 20,000
  /// times per second and needed minutes for work that one thread does in seconds.
  package func records(_ path: String? = nil) throws -> [[String: Any]] {
    let lines = try lines(path)
    return try Self.parsing.withLock {
      try lines.map { line in
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
        return try #require(object as? [String: Any], "not an object: \(line)")
      }
    }
  }

  private static let parsing = NSLock()
}
