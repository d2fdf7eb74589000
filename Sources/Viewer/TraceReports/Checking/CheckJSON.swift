import TraceAnalysis
import TraceFormat
import TraceWords
import ViewerConsole

/// A check result as JSON, version 2. The keys have the order below. Keys with unknown values are
/// omitted. Times are in nanoseconds.
///
///     format, version             "trace-viewer-check", 2
///     outcome, exitCode           clean, findings, inconclusive, unreadable, hang; the exit code
///                                 of the program, which is different if the baseline can't be
///                                 written
///     sentence                    the verdict in words
///     failOn                      error, warning or any
///     logs                        files, process, pid, host, started, records, subscriptions,
///                                 active, lasted, doubts; of a search for leaked objects also
///                                 searched (bytes) and leaked (objects, bytes)
///     errors                      files that could not be read, and damage with --strict:
///                                 file, line, sentence
///     hangs                       only after a time limit of 'run' was reached: the tests, or
///                                 else the command, that did not end, one for each cause: name,
///                                 others (tests that hang in the same place), test (whether it
///                                 is one), sentence, proven, places (lines to look at), details
///                                 (text), and if known path, line and function
///     counts                      findings, subscriptions that they are about, errors, warnings,
///                                 unproven, allowed by settings, known to the baseline, stale, and
///                                 unknown: entries about lanes that did not occur
///     findings                    all that are not allowed or known, one for each mistake, most
///                                 urgent first, then by rule: the members of `FindingJSON` and
///                                 fails, which indicates whether it makes the run fail
///     stale                       rule, lane, file, function, count, found
enum CheckJSON {
  static let version = 2

  static func text(_ result: CheckResult) -> String {
    var json = JSONWriter(.indented)
    json.object { json in
      json.string("format", "trace-viewer-check")
      json.integer("version", version)
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
            $0.string("sentence", error.sentence)
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
        for group in result.groups { json.object { add(group, result, &$0) } }
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
    if hang.names.count > 1 {
      json.array("others") { json in
        for name in hang.names.dropFirst() { json.string(nil, name) }
      }
    }
    json.bool("test", hang.isTest)
    json.string("sentence", hang.sentence)
    json.bool("proven", hang.isProven)
    if let location = hang.location {
      json.string("path", location.path)
      json.integer("line", location.line)
    }
    if let function = hang.function { json.string("function", function) }
    json.array("places") { json in
      for place in hang.places { json.string(nil, place) }
    }
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
    json.integer("active", result.log.lifecycles[log.members].count { $0.isActive && !$0.isObject })
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
    json.integer("findings", result.groups.count)
    json.integer(
      "subscriptions", FindingJSON.subscriptions(of: result.groups.map(\.group), in: result.log))
    json.integer("errors", result.groups.count { $0.severity == .error })
    json.integer("warnings", result.groups.count { $0.severity == .warning })
    json.integer("unproven", result.groups.count { $0.severity == .unproven })
    json.integer("allowed", result.verdict.allowed)
    json.integer("known", result.known)
    json.integer("stale", result.comparison.stale.count)
    json.integer("unknown", result.unknown)
  }

  private static func add(_ group: CheckedGroup, _ result: CheckResult, _ json: inout JSONWriter) {
    let finding = FindingJSON(log: result.log, sources: group.sources)
    finding.writeHead(of: group.group, to: &json)
    json.bool("fails", group.fails)
    finding.writeSubscriptions(of: group.group, to: &json)
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
