import TraceAnalysis
import TraceFormat
import TraceWords
import ViewerConsole

/// The code quality report of GitLab: a JSON array of issues, each with a unique fingerprint. It
/// has an issue for each unreadable file, for damage that `--strict` rejects, and for each finding.
enum CheckGitLab {
  static func text(_ result: CheckResult) -> String {
    var json = JSONWriter(.indented)
    var used: Set<String> = []
    json.array { json in
      for error in result.errors {
        let name = error.isDamage ? "damaged" : "unreadable"
        let text = CheckedGroup.page.safe(error.sentence)
        let fingerprint = Fingerprint(rule: name, lane: "", file: error.file, function: text)
        json.object {
          add(
            text, name, unique(fingerprint, &used), "critical", path: error.file,
            line: error.line ?? 1, &$0)
        }
      }
      for hang in result.hangs {
        let path = hang.location?.path ?? hang.name
        let fingerprint = Fingerprint(
          rule: CheckedHang.rule, lane: hang.name, file: path, function: hang.function ?? "")
        json.object {
          add(
            hang.sentence, CheckedHang.rule, unique(fingerprint, &used), "critical", path: path,
            line: hang.location?.line ?? 1, &$0)
        }
      }
      for group in result.groups {
        json.object {
          add(
            "\(group.title): \(group.message). \(group.remarks.joined(separator: " "))",
            group.fingerprint.rule,
            group.id.description, severity(group), path: group.path, line: group.line,
            &$0)
        }
      }
    }
    json.newline()
    return json.text
  }

  private static func unique(_ fingerprint: Fingerprint, _ used: inout Set<String>) -> String {
    var text = fingerprint.digest
    while !used.insert(text).inserted { text += "-" }
    return text
  }

  private static func add(
    _ description: String, _ check: String, _ fingerprint: String, _ severity: String, path: String,
    line: Int, _ json: inout JSONWriter
  ) {
    json.string("description", description)
    json.string("check_name", check)
    json.string("fingerprint", fingerprint)
    json.string("severity", severity)
    json.object("location") {
      $0.string("path", path)
      $0.object("lines") { $0.integer("begin", line) }
    }
  }

  private static func severity(_ group: CheckedGroup) -> String {
    switch group.severity {
    case .error: "major"
    case .warning: "minor"
    case .unproven: "info"
    }
  }
}
