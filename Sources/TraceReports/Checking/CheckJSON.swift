import TraceAnalysis
import TraceFormat
import TraceWords
import ViewerConsole

/// A check result as JSON, version 1. The keys have the order below. Keys with unknown values are
/// omitted. Times are in nanoseconds.
///
///     format, version             "trace-viewer-check", 1
///     outcome, exitCode           clean, findings, inconclusive, unreadable, hang; the exit code
///                                 of the program, which is different if the baseline cannot be
///                                 written
///     sentence                    the verdict in words
///     failOn                      error, warning or any
///     logs                        files, process, pid, host, started, records, subscriptions,
///                                 active, lasted, doubts; of a search for leaked objects also
///                                 searched (bytes) and leaked (objects, bytes)
///     errors                      files that could not be read, and damage with --strict:
///                                 file, line, message
///     hangs                       only after a time limit of 'run' was reached: the tests, or
///                                 else the command, that did not end: name, test (whether it
///                                 is one), sentence, proven, details (text), and if known path,
///                                 line and function
///     counts                      findings, groups of findings, errors, warnings, unproven,
///                                 allowed by settings, known to the baseline, stale
///     findings                    all that are not allowed or known, one per subscription
///                                 that doesn't have the problem only because of another one;
///                                 most urgent first, then by rule:
///       group                     a number from 0: findings of one mistake have the same one
///       rule, level, proven, fails
///       message                   the problem in this case
///       lane, source, function, type
///       path, line                the location to show: where the subscription was observed,
///                                 else its lane; in the repository, or in the log if the
///                                 source is not known
///       advice                    what to do, in one line
///       observed                  source, function
///       consequences              subscription, lane, source, function and age of those that
///                                 have the problem only because of this one
///       cause                     subscription, lane and time of the event that made it
///       retention                 why it is alive. kind, proof, steps, tail, break, owner,
///                                 searched and reason have the meanings of the log; path,
///                                 details, sites, advice, holder and note are the same in
///                                 words; breakAt is the path, line and column of the step to
///                                 break
///       objects                   leaked objects: count, bytes, members and held, which are lists
///                                 of class, count and bytes
///       fingerprint               16 digits, equal for all findings that the baseline treats
///                                 as one
///       log                       the index of the log, from 0
///       subscription, others      subscription numbers in that log
///       start, age, elements
///       recorded                  file and line of its first record
///       madeFor                   subscription, lane and source of those downstream, nearest
///                                 first
///     stale                       rule, lane, file, function, count, found
enum CheckJSON {
  static func text(_ result: CheckResult) -> String {
    var json = JSONWriter(.indented)
    json.object { json in
      json.string("format", "trace-viewer-check")
      json.integer("version", 1)
      json.string("outcome", result.outcome)
      json.integer("exitCode", result.code.rawValue)
      json.string("sentence", result.sentence)
      json.string("failOn", result.failOn.rawValue)
      json.array("logs") { json in
        for number in result.log.logs.indices { json.object { log(number, result, &$0) } }
      }
      json.array("errors") { json in
        for error in result.errors {
          json.object {
            $0.string("file", error.file)
            if let line = error.line { $0.integer("line", line) }
            $0.string("message", error.sentence)
          }
        }
      }
      if !result.hangs.isEmpty {
        json.array("hangs") { json in
          for hang in result.hangs { json.object { add(hang, &$0) } }
        }
      }
      json.object("counts") { counts(result, &$0) }
      json.array("findings") { json in
        for (number, group) in result.groups.enumerated() {
          for finding in group.findings { json.object { add(finding, group, number, result, &$0) } }
        }
      }
      json.array("stale") { json in
        for stale in result.comparison.stale { json.object { add(stale, &$0) } }
      }
    }
    json.newline()
    return json.text
  }

  private static func add(_ hang: CheckedHang, _ json: inout JSONWriter) {
    json.string("name", hang.name)
    json.bool("test", hang.isTest)
    json.string("sentence", hang.sentence)
    json.bool("proven", hang.isProven)
    if let location = hang.location {
      json.string("path", location.path)
      json.integer("line", location.line)
    }
    if let function = hang.function { json.string("function", function) }
    json.string("details", hang.details)
  }

  private static func log(_ number: Int, _ result: CheckResult, _ json: inout JSONWriter) {
    let log = result.log.logs[number]
    json.array("files") { json in
      for name in log.names { json.string(nil, name) }
    }
    if let process = log.header?.process { json.string("process", process) }
    if let pid = log.header?.pid { json.integer("pid", pid) }
    if let host = log.header?.host { json.string("host", host) }
    if let started = log.header?.started { json.string("started", started) }
    json.integer("records", log.records)
    json.integer("subscriptions", log.subscriptionCount)
    json.integer(
      "active", result.log.lifecycles[log.members].count { $0.isActive && !$0.isObject })
    if let searched = log.searched {
      json.integer("searched", searched)
      json.object("leaked", onOneLine: true) { json in
        json.integer("objects", log.leaked.objects)
        json.integer("bytes", log.leaked.bytes)
      }
    }
    json.integer("lasted", log.lastTime.since(Nanoseconds(log.offset)).count)
    json.array("doubts") { json in
      for doubt in result.verdict.doubts[number] { json.string(nil, LogSentences.doubt(doubt)) }
    }
  }

  private static func counts(_ result: CheckResult, _ json: inout JSONWriter) {
    let findings = result.comparison.findings
    json.integer("findings", findings.count)
    json.integer("groups", result.groups.count)
    json.integer("errors", findings.count { $0.isProven && $0.level == .error })
    json.integer("warnings", findings.count { $0.isProven && $0.level == .warning })
    json.integer("unproven", findings.count { !$0.isProven })
    json.integer("allowed", result.verdict.allowed)
    json.integer("known", result.comparison.known)
    json.integer("stale", result.comparison.stale.count)
  }

  private static func add(
    _ finding: Finding, _ group: CheckedGroup, _ number: Int, _ result: CheckResult,
    _ json: inout JSONWriter
  ) {
    let log = result.log
    let lifecycle = log.lifecycles[finding.lifecycle]
    let site = lifecycle.site
    json.integer("group", number)
    json.string("rule", finding.rule)
    json.string("level", finding.level.rawValue)
    json.bool("proven", finding.isProven)
    json.bool("fails", result.failOn.isFailed(by: finding))
    json.string("message", CheckedGroup.page.sentence(finding.sentence))
    json.string("lane", site.lane)
    if let source = site.source { json.string("source", source) }
    if let function = site.function { json.string("function", function) }
    if let type = site.type { json.string("type", type) }
    let location = group.location(of: finding)
    json.string("path", location.path)
    json.integer("line", location.line)
    FindingJSON(log: log, sources: group.sources).write(finding, to: &json)
    json.string("fingerprint", group.fingerprint.digest)
    json.integer("log", lifecycle.log)
    json.integer("subscription", lifecycle.id.number)
    if !finding.others.isEmpty {
      json.array("others", onOneLine: true) { json in
        for other in finding.others { json.integer(nil, log.lifecycles[other].id.number) }
      }
    }
    json.integer("start", lifecycle.start.count)
    json.integer("age", log.age(of: lifecycle).count)
    json.integer("elements", lifecycle.elements)
    json.object("recorded", onOneLine: true) {
      $0.string("file", log.files[lifecycle.firstLocation.file].name)
      $0.integer("line", lifecycle.firstLocation.line)
    }
    let ancestors = log.ancestors(of: lifecycle, maxCount: 16)
    guard !ancestors.isEmpty else { return }
    json.array("madeFor") { json in
      for index in ancestors {
        let parent = log.lifecycles[index]
        json.object(onOneLine: true) {
          $0.integer("subscription", parent.id.number)
          $0.string("lane", parent.site.lane)
          if let source = parent.site.source { $0.string("source", source) }
        }
      }
    }
  }

  private static func add(_ stale: Baseline.Stale, _ json: inout JSONWriter) {
    json.string("rule", stale.entry.fingerprint.rule)
    json.string("lane", stale.entry.fingerprint.lane)
    json.string("file", stale.entry.fingerprint.file)
    json.string("function", stale.entry.fingerprint.function)
    json.integer("count", stale.entry.count)
    json.integer("found", stale.found)
  }
}
