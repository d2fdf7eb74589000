import Foundation
import TestSupport
import Testing

@testable import ReactiveTrace

/// A folder of its own for one test, gone when the test is.
final class TemporaryLog {
  let folder: String

  init() throws {
    folder = try TemporaryRoot.makeFolder()
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  var path: String { folder + "/log.jsonl" }

  /// The bytes as text; fails where they are not UTF-8.
  func text(_ path: String? = nil) throws -> String {
    let data = try Data(contentsOf: URL(fileURLWithPath: path ?? self.path))
    return try #require(String(validating: Array(data), as: UTF8.self))
  }

  func lines(_ path: String? = nil) throws -> [String] {
    try text(path).split(separator: "\n").map(String.init)
  }

  /// Every line that is not blank, read by a JSON parser that is not ours.
  func records(_ path: String? = nil) throws -> [[String: Any]] {
    try lines(path).map { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
      return try #require(object as? [String: Any], "not an object: \(line)")
    }
  }
}

extension LogIdentity {
  static let golden = LogIdentity(
    trace: "9f0c2d4e8b7a61530f1e2d3c4b5a6978", process: "search-sample", pid: 4242, host: "ci-7",
    started: "2026-11-20T23:48:50.123456789Z")
}

extension Recorder {
  func subscription(_ lane: String = "search.results") -> TracedSubscription {
    TracedSubscription(
      recorder: self,
      site: TraceSite(
        lane: lane, operator: .lane, source: "SearchSample/SearchModel.swift:42",
        function: "bind()"),
      type: "Array<String>")
  }
}
