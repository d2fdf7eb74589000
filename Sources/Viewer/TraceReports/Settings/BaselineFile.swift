package import TraceAnalysis
import TraceFormat
import ViewerConsole

/// The file of a baseline. Entries are sorted and each is on one line, so that changes are easy to
/// read and merge.
///
///     {
///       "format": "trace-viewer-baseline",
///       "version": 1,
///       "findings": [
///         {"rule": "undisposed", "lane": "feed", "file": "App/Feed.swift",
///          "function": "bind()", "count": 2, "reason": ""}
///       ]
///     }
///
/// The entry above spans two lines only in this comment. `file` is the file in the log, without a
/// line. `file` and `function` are empty if the log does not contain them. `count` is the maximum
/// number of findings that an entry covers. `reason` is an optional note for people.
package enum BaselineFile {
  private static let format = "trace-viewer-baseline"
  private static let version = 1
  private static let keys = ["rule", "lane", "file", "function", "count", "reason"]

  // MARK: Reading

  package static func read(_ bytes: [UInt8]) throws(JSONError) -> Baseline {
    let root = try JSONDocument(bytes).node
    let members = try root.members(
      only: ["format", "version", "findings"], "an object with a baseline")
    let format = try required("format", members, root)
    guard try format.string() == Self.format else { throw format.mustBe("'\(Self.format)'") }
    let version = try required("version", members, root)
    guard try version.integer(atLeast: 1) == Self.version else {
      throw .content(
        version.path, version.value.location, "must be \(Self.version)",
        advice: "A newer trace-viewer wrote this file. Use that version.")
    }
    var lines: [Fingerprint: Int] = [:]
    var entries: [Baseline.Entry] = []
    for node in try required("findings", members, root).elements("an array of findings") {
      let entry = try entry(node)
      if let line = lines.updateValue(node.value.location.line, forKey: entry.fingerprint) {
        throw .content(
          node.path, node.value.location, "is a duplicate of line \(line)",
          advice: "Merge the two entries and add their counts.")
      }
      entries.append(entry)
    }
    return Baseline(entries)
  }

  private static func entry(_ node: JSONNode) throws(JSONError) -> Baseline.Entry {
    let members = try node.members(only: keys, "an object with a finding")
    let fingerprint = Fingerprint(
      rule: try required("rule", members, node).text(),
      lane: try required("lane", members, node).string(),
      file: try members["file"]?.string() ?? "",
      function: try members["function"]?.string() ?? "")
    return Baseline.Entry(
      fingerprint, count: try required("count", members, node).integer(atLeast: 1),
      reason: try members["reason"]?.string() ?? "")
  }

  private static func required(
    _ key: String, _ members: [String: JSONNode], _ node: JSONNode
  ) throws(JSONError) -> JSONNode {
    guard let member = members[key] else {
      throw .content(
        node.path.isEmpty ? "." : node.path, node.value.location, "has no '\(key)'",
        advice: "Rewrite the file with --write-baseline.")
    }
    return member
  }

  // MARK: Writing

  package static func text(_ baseline: Baseline) -> String {
    var json = JSONWriter(.indented)
    json.object {
      $0.string("format", format)
      $0.integer("version", version)
      $0.array("findings") { json in
        for entry in baseline.entries {
          json.object(onOneLine: true) {
            $0.string("rule", entry.fingerprint.rule)
            $0.string("lane", entry.fingerprint.lane)
            $0.string("file", entry.fingerprint.file)
            $0.string("function", entry.fingerprint.function)
            $0.integer("count", entry.count)
            $0.string("reason", entry.reason)
          }
        }
      }
    }
    json.newline()
    return json.text
  }
}
