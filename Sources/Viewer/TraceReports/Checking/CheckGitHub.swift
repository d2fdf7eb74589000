import TraceAnalysis
import TraceWords
import ViewerConsole

/// The workflow commands that make the runner of GitHub Actions show annotations.
///
/// A step shows ten annotations of each level. The last line has the totals. It is a notice, so the
/// other notices leave room for it.
package enum CheckGitHub {
  private static let maxPerLevel = 10

  package static func text(_ result: CheckResult) -> String {
    var shown: [String: Int] = [:]
    var lines: [String] = []
    func add(_ level: String, _ line: () -> String) {
      // One notice is reserved for the totals.
      let maxCount = level == "notice" ? maxPerLevel - 1 : maxPerLevel
      guard shown[level, default: 0] < maxCount else { return }
      shown[level, default: 0] += 1
      lines.append(line())
    }
    for error in result.errors {
      add("error") {
        command(
          "error", title: "\(error.isDamage ? "damaged" : "unreadable") log",
          "\(error.location): \(error.sentence)")
      }
    }
    for hang in result.hangs {
      add("error") {
        command(
          "error", file: hang.location?.path, line: hang.location?.line,
          title: "\(CheckedHang.rule): \(hang.title)", hang.brief)
      }
    }
    for group in result.groups {
      let level = level(group)
      add(level) {
        // The line to edit is more useful than the place of the observation, if it is known.
        let place = group.fix?.location ?? group.location
        let isElsewhere = (place.path, place.line) != (group.path, group.line)
        let observed = isElsewhere ? ["observed at \(group.path):\(group.line)"] : []
        return command(
          level, file: place.path, line: place.line,
          column: place.column > 1 ? place.column : nil, title: group.title,
          ([group.message] + observed + group.explanation).joined(separator: "\n"))
      }
    }
    if result.staleFails {
      for stale in result.comparison.stale {
        add("error") {
          command(
            "error", title: "stale baseline", CheckView.sentence(stale, CheckedGroup.page))
        }
      }
    }
    lines.append(command("notice", title: ProgramInfo.name, totals(result)))
    return lines.map { $0 + "\n" }.joined()
  }

  private static func level(_ group: CheckedGroup) -> String {
    switch group.severity {
    case .error: "error"
    case .warning: "warning"
    case .unproven: "notice"
    }
  }

  private static func totals(_ result: CheckResult) -> String {
    let known = result.baseline == nil ? "" : " (\(CountText.make(result.known, "known finding")))"
    return result.sentence + known
  }

  private static func command(
    _ level: String, file: String? = nil, line: Int? = nil, column: Int? = nil, title: String,
    _ message: String
  ) -> String {
    var properties: [String] = []
    if let file { properties.append("file=" + Escaping.workflowProperty(file)) }
    if let line { properties.append("line=\(line)") }
    if let column { properties.append("col=\(column)") }
    properties.append("title=" + Escaping.workflowProperty(title))
    let list = properties.joined(separator: ",")
    return "::\(level) \(list)::\(Escaping.workflowData(message))"
  }
}
