extension RetentionWords {
  /// The words next to the step to break.
  package static let mark = "break it here"

  /// Returns multiline text: what was found, the steps in columns, and what to do.
  package static func text(_ retention: Retention) -> String {
    let (holder, note) = (holder(retention), note(retention))
    let adverb = retention.isProbable ? "probably " : ""
    var lines: [String] = []
    switch retention.kind {
    case .cycle: lines.append("\(adverb)kept alive by a cycle:")
    case .path where retention.isOnlyOfCaller:
      lines.append("\(adverb)held only by the caller:")
    case .path: lines.append("\(adverb)held by:")
    case .none where holder == nil && note == nil: lines.append("nothing was found that holds it")
    case .none, .unsupported: break
    }
    let remedy = remedy(retention)
    lines += stepLines(retention, remedy).map { "  " + $0 }
    let isInMark = retention.breakIndex != nil && remedy?.isBrief ?? true
    lines += [holder, isInMark ? nil : remedy?.text, note].compactMap(\.self)
    return lines.joined(separator: "\n")
  }

  private static func name(of subject: Retention.Subject) -> String {
    switch subject {
    case .subscription: "subscription"
    case .task: "task"
    case .object: "object"
    }
  }

  /// Returns what the steps after a cycle lead to.
  package static func target(_ retention: Retention) -> String {
    retention.cycle.contains { $0.field?.library != nil }
      ? "the program's code" : "the \(name(of: retention.subject))"
  }

  private static func stepLines(
    _ retention: Retention, _ remedy: Retention.Remedy?
  ) -> [String] {
    let names = retention.steps.map { name(of: $0) }
    let width = names.lazy.map(\.count).max() ?? 0
    var lines: [String] = []
    for (index, step) in retention.steps.enumerated() {
      if retention.isCycle, retention.tail > 0, index == retention.steps.count - retention.tail {
        lines.append("and from the cycle to \(target(retention)):")
      }
      var line = names[index]
      let detail = detail(of: step)
      if !detail.isEmpty {
        line += String(repeating: " ", count: width - line.count + 3) + detail
      }
      if index == retention.breakIndex {
        line += "      <- \(mark)" + (remedy.map { ": \($0.brief)" } ?? "")
      }
      lines.append(line)
    }
    return lines
  }
}
