import TraceAnalysis
import TraceFormat
import TraceWords
import ViewerConsole

/// A check result as JSON for a reader with little room, such as an agent: a ranked index of the
/// findings, and as many of them in full as fit. The order is that of a check. Values of the log
/// are only included on request, between fences.
///
///     format, version             "trace-viewer-brief", 1
///     outcome, exitCode, sentence
///     fence                       the tag around values, if they were asked for
///     errors                      the number of files that could not be read
///     hangs                       after a time limit of 'run': name, sentence, whether it is
///                                 proven, and if known place and function of each test, or of
///                                 the command, that didn't end
///     index                       id, rule, place and subscriptions of each finding
///     omitted                     the number of findings that the index leaves out
///     findings                    the members of `BriefFinding`, the first findings of the index
struct CheckBrief {
  static let version = 1

  let result: CheckResult
  /// The number of tokens, of four bytes each.
  let budget: Int
  let fence: ValueFence?

  /// The part of the budget that the index may take while findings are left to show.
  private static let indexShare = 2

  var text: String {
    let room = budget * BriefFinding.bytesPerToken
    let groups = result.groups
    var index: [String] = []
    var size = head(index: [], findings: []).utf8.count
    let brief = BriefFinding(log: result.log, sources: groups.first?.sources ?? .none, fence: fence)
    // One finding in full is worth more than the end of a long index.
    let first = groups.first.map { brief.text(of: $0.group).utf8.count + 1 } ?? 0
    let share = max(room / Self.indexShare, room - size - first)
    for group in groups {
      let entry = entry(group)
      guard size + entry.utf8.count + 1 <= min(share, room) else { break }
      index.append(entry)
      size += entry.utf8.count + 1
    }
    var findings: [String] = []
    for group in groups {
      let text = brief.text(of: group.group)
      guard size + text.utf8.count + 1 <= room else { break }
      findings.append(text)
      size += text.utf8.count + 1
    }
    return head(index: index, findings: findings)
  }

  /// The maximum number of hangs, and of columns of their texts.
  private static let maxHangs = 4
  private static let hangColumns = 300

  private func add(_ hangs: [CheckedHang], _ json: inout JSONWriter) {
    guard !hangs.isEmpty else { return }
    let cut = { CheckedGroup.page.cutMiddle($0, to: Self.hangColumns) }
    json.array("hangs") { json in
      for hang in hangs.prefix(Self.maxHangs) {
        json.object { json in
          json.string("name", cut(hang.name))
          json.string("sentence", cut(hang.sentence))
          json.bool("proven", hang.isProven)
          if let place = hang.location { json.string("place", "\(cut(place.path)):\(place.line)") }
          if let function = hang.function { json.string("function", cut(function)) }
        }
      }
    }
  }

  private func entry(_ group: CheckedGroup) -> String {
    var json = JSONWriter(.compact)
    json.object {
      $0.string("id", group.id.description)
      $0.string("rule", group.fingerprint.rule)
      $0.string("place", "\(group.path):\(group.line)")
      $0.integer("subscriptions", group.findings.count)
    }
    return json.text
  }

  /// Returns the whole document with parts that are JSON already.
  private func head(index: [String], findings: [String]) -> String {
    var json = JSONWriter(.compact)
    json.object { json in
      json.string("format", "trace-viewer-brief")
      json.integer("version", Self.version)
      json.string("outcome", result.outcome)
      json.integer("exitCode", result.code.rawValue)
      json.string("sentence", CheckedGroup.page.cutMiddle(result.sentence, to: 200))
      if let fence { json.string("fence", fence.tag) }
      if !result.errors.isEmpty { json.integer("errors", result.errors.count) }
      add(result.hangs, &json)
    }
    let omitted = result.groups.count - index.count
    let more = omitted > 0 ? ",\"omitted\":\(omitted)" : ""
    return json.text.dropLast() + ",\"index\":[\(index.joined(separator: ","))]\(more)"
      + ",\"findings\":[\(findings.joined(separator: ","))]}\n"
  }
}
