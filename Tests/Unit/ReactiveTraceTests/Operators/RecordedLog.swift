import Foundation
import ReactiveKit
import TestSupport
import Testing

@testable import ReactiveTrace

/// A log in a temporary folder, which is removed when the log is deallocated.
final class RecordedLog {
  /// A line, with the keys that tests ask for.
  struct Line: Decodable {
    var t: Int
    var event: String
    var sub: Int?
    var lane: String?
    var value: String?
    var error: String?
    var thread: Int?
    var op: String?
    var source: String?
    var function: String?
    var type: String?
    var parent: Int?
    var cause: Int?
    var lifetime: String?
  }

  let recorder: Recorder
  private let folder: URL

  init() throws {
    folder = URL(filePath: try TemporaryRoot.makeFolder())
    recorder = try Recorder(path: folder.appending(path: "log.jsonl").path)
  }

  deinit {
    recorder.finish()
    try? FileManager.default.removeItem(at: folder)
  }

  /// Finishes the log and reads the records of its subscriptions.
  func lines() throws -> [Line] {
    recorder.finish()
    return try String(contentsOfFile: recorder.path ?? "", encoding: .utf8)
      .split(separator: "\n")
      .map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
      .filter { $0.event != "trace" && $0.sub != nil }
  }

  /// The records as short words: `1 subscribe`, `1 next a`, `1 failed boom`.
  func story() throws -> [String] {
    try lines().map { line in
      "\(line.sub ?? 0) \(line.event)\((line.value ?? line.error).map { " \($0)" } ?? "")"
    }
  }
}

extension SignalProtocol {
  /// Traces the signal into a given log. If the log is `nil`, tracing is off.
  func lane(
    _ name: String, in log: RecordedLog?, lifetime: Trace.Lifetime = .normal,
    file: String = #fileID, function: String = #function, line: Int = #line
  ) -> Signal<Element, Error> {
    let recorder = log?.recorder
    return traced(
      TraceSite(name, file: file, line: line, function: function),
      lifetime: lifetime, by: { recorder })
  }
}
