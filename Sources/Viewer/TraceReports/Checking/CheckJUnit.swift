import TraceAnalysis
import TraceFormat
import TraceWords
import ViewerConsole

/// JUnit XML that is valid for both the Jenkins and the Ant schema.
///
/// The first suite has a case for each finding, regardless of the number of logs. The case is a
/// failure if it makes the run fail, and otherwise skipped. A doubt about a log is an error of a
/// case with the name of the log. If there is nothing of this, the suite has one case that passed.
/// Unreadable files and damage that `--strict` rejects form a suite of their own, and so do stale
/// baseline entries.
enum CheckJUnit {
  /// The maximum number of failures that include all details. The log is read again for
  /// each of them, and nobody looks at more.
  private static let maxDetailed = 500

  private enum Outcome {
    case passed
    case failure(type: String, message: String, text: String)
    case error(type: String, message: String)
    case skipped(message: String)
  }

  private struct Case {
    let name: String
    let className: String
    var outcome = Outcome.passed
  }

  private struct Suite {
    var name: String
    var started: String?
    var host: String?
    var seconds = Nanoseconds.zero
    var properties: [(name: String, value: String)] = []
    var cases: [Case]
  }

  static func text(_ result: CheckResult) -> String {
    var suites = result.log.logs.isEmpty ? [] : [findings(result)]
    if !result.errors.isEmpty {
      let cases = result.errors.map {
        Case(
          name: $0.location, className: "input",
          outcome: .error(type: $0.isDamage ? "damaged" : "unreadable", message: $0.sentence))
      }
      suites.append(Suite(name: "unreadable logs", cases: cases))
    }
    if !result.hangs.isEmpty {
      let cases = result.hangs.flatMap { hang in
        hang.names.map {
          Case(
            name: $0, className: hang.isTest ? "test" : "command",
            outcome: .failure(type: CheckedHang.rule, message: hang.sentence, text: hang.details))
        }
      }
      suites.append(Suite(name: "hangs", started: result.hangs[0].started, cases: cases))
    }
    if let path = result.baseline { suites.append(baseline(path, result)) }
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
    for (index, suite) in suites.enumerated() { write(suite, index, &text) }
    return text + "</testsuites>\n"
  }

  // MARK: Contents

  private static func findings(_ result: CheckResult) -> Suite {
    let logs = result.log.logs
    var cases = result.groups.enumerated().map { number, group -> Case in
      let outcome: Outcome =
        group.fails
        ? .failure(
          type: group.fingerprint.rule, message: group.message,
          text: number < maxDetailed ? group.details : "")
        : .skipped(message: group.message)
      return Case(name: group.name, className: group.fingerprint.rule, outcome: outcome)
    }
    for (log, doubts) in zip(logs, result.verdict.doubts) where !doubts.isEmpty {
      let reasons = doubts.map(LogSentences.doubt).joined(separator: ", and ")
      cases.append(
        Case(
          name: name(of: log), className: "whole log",
          outcome: .error(type: "inconclusive", message: "inconclusive: " + reasons)))
    }
    if cases.isEmpty { cases = [Case(name: "no findings", className: ProgramInfo.name)] }
    var suite = Suite(
      name: logs.count == 1 ? name(of: logs[0]) : CountText.make(logs.count, "log"), cases: cases)
    suite.started = logs.compactMap(\.header?.started).min()
    suite.host = logs.first?.header?.host
    suite.seconds = result.log.duration
    suite.properties = [
      ("process", logs.map(\.title).first ?? ""),
      ("records", "\(logs.reduce(0) { $0 + $1.records })"),
      ("subscriptions", "\(result.log.subscriptionCount)"),
    ]
    if logs.count > 1 { suite.properties[0] = ("logs", "\(logs.count)") }
    return suite
  }

  private static func name(of log: TraceLog) -> String {
    log.names.joined(separator: ", ")
  }

  private static func baseline(_ path: String, _ result: CheckResult) -> Suite {
    let comparison = result.comparison
    var cases = comparison.stale.map { stale -> Case in
      let sentence = CheckView.sentence(stale, CheckedGroup.page)
      let outcome: Outcome =
        result.staleFails
        ? .failure(
          type: "stale", message: sentence, text: "Remove stale entries with --prune-baseline.")
        : .skipped(message: sentence)
      return Case(
        name: stale.entry.fingerprint.lane, className: stale.entry.fingerprint.rule,
        outcome: outcome)
    }
    if cases.isEmpty { cases.append(Case(name: "no stale entries", className: "baseline")) }
    var suite = Suite(name: "baseline", cases: cases)
    suite.properties = [("file", path), ("known", "\(result.known)")]
    return suite
  }

  // MARK: Writing

  private static func write(_ suite: Suite, _ index: Int, _ text: inout String) {
    var (failures, errors, skipped) = (0, 0, 0)
    for item in suite.cases {
      switch item.outcome {
      case .passed: break
      case .failure: failures += 1
      case .error: errors += 1
      case .skipped: skipped += 1
      }
    }
    text +=
      "  <testsuite name=\"\(token(suite.name, or: "log"))\" package=\"\(ProgramInfo.name)\""
    text += " id=\"\(index)\" timestamp=\"\(timestamp(suite.started))\""
    text +=
      " hostname=\"\(token(suite.host ?? "", or: "localhost"))\" tests=\"\(suite.cases.count)\""
    text += " failures=\"\(failures)\" errors=\"\(errors)\" skipped=\"\(skipped)\""
    text += " time=\"\(seconds(suite.seconds))\">\n    <properties>\n"
    for property in suite.properties {
      text += "      <property name=\"\(property.name)\""
      text += " value=\"\(Escaping.xmlAttribute(property.value))\"/>\n"
    }
    text += "    </properties>\n"
    for item in suite.cases { write(item, &text) }
    text += "    <system-out></system-out>\n    <system-err></system-err>\n  </testsuite>\n"
  }

  private static func write(_ item: Case, _ text: inout String) {
    text += "    <testcase name=\"\(token(item.name, or: "-"))\""
    text += " classname=\"\(token(item.className, or: "-"))\" time=\"0.000\""
    switch item.outcome {
    case .passed:
      text += "/>\n"
    case .failure(let type, let message, let body):
      text += ">\n      <failure type=\"\(Escaping.xmlAttribute(type))\""
      text += " message=\"\(Escaping.xmlAttribute(message))\">\(Escaping.xmlText(body))</failure>\n"
      text += "    </testcase>\n"
    case .error(let type, let message):
      text += ">\n      <error type=\"\(Escaping.xmlAttribute(type))\""
      text += " message=\"\(Escaping.xmlAttribute(message))\"/>\n    </testcase>\n"
    case .skipped(let message):
      text += ">\n      <skipped message=\"\(Escaping.xmlAttribute(message))\"/>\n    </testcase>\n"
    }
  }

  /// Escapes a value that must not be blank, and uses the other text instead if it is.
  private static func token(_ value: String, or other: String) -> String {
    let isEmpty = value.unicodeScalars.allSatisfy { $0.properties.isWhitespace }
    return Escaping.xmlAttribute(isEmpty ? other : value)
  }

  /// Returns the time in UTC without a zone designator, as the schema requires.
  private static func timestamp(_ started: String?) -> String {
    let time = started.flatMap { RFC3339.nanoseconds(of: $0) } ?? 0
    let seconds = time >= 0 ? time / 1_000_000_000 : 0
    return String(RFC3339.text(secondsSince1970: seconds, nanoseconds: 0).prefix(19))
  }

  private static func seconds(_ time: Nanoseconds) -> String {
    let thousandths = time.count / 1_000_000
    let rest = String(thousandths % 1000)
    return "\(thousandths / 1000)." + String(repeating: "0", count: 3 - rest.utf8.count) + rest
  }
}
