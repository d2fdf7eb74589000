import Foundation
import Testing

/// A folder for the log of one test. It is removed together with this object.
package final class TemporaryLog {
  package let folder: String

  package init() throws {
    folder = try TemporaryRoot.makeFolder()
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

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
  package func records(_ path: String? = nil) throws -> [[String: Any]] {
    try lines(path).map { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
      return try #require(object as? [String: Any], "not an object: \(line)")
    }
  }
}
