import TraceAnalysis
import TraceFormat

/// The code quality report of GitLab: an array with an issue for each place, whose fingerprint no other issue has.
enum CheckGitLab {
  static func text(_ result: CheckResult) -> String {
    var json = JSONWriter(.indented)
    var used: Set<String> = []
    json.array { json in
      for group in result.groups {
        var fingerprint = group.fingerprint.digest
        while !used.insert(fingerprint).inserted { fingerprint += "-" }
        json.object {
          $0.string("description", "\(group.title): \(group.message)")
          $0.string("check_name", group.fingerprint.rule)
          $0.string("fingerprint", fingerprint)
          $0.string("severity", severity(group))
          $0.object("location") {
            $0.string("path", group.path)
            $0.object("lines") { $0.integer("begin", group.line) }
          }
        }
      }
    }
    json.newline()
    return json.text
  }

  private static func severity(_ group: CheckedGroup) -> String {
    switch group.severity {
    case .error: "major"
    case .warning: "minor"
    case .unproven: "info"
    }
  }
}
