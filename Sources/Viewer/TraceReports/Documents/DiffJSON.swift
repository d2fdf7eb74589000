import TraceAnalysis
import TraceFormat
import TraceWords

/// The differences between two logs as JSON, for programs. Later revisions may add keys to version
/// 2, but do not change the meaning of a key.
///
///     {
///       "format": "trace-viewer-diff",
///       "version": 2,
///       "outcome": "findings",                 or "inconclusive" or "clean": exit codes 1, 2, 0
///       "old": {
///         "name": "before.jsonl",
///         "process": "app",                    null if the log does not say
///         "started": "2026-11-20T23:48:50Z",   null if the log does not say
///         "subscriptions": 3, "elements": 8, "findings": 0,
///         "doubts": ["the process did not write the end of its log"]
///       },
///       "new": { as "old" },
///       "unchangedLanes": 2,
///       "lanes": [{
///         "lane": "request",
///         "change": "changed",                 or "new" or "gone"
///         "source": {"old": "App/Model.swift:57", "new": "App/Model.swift:59"},
///                                              null if unknown, or if the log lacks the lane; a
///                                              lane with several places has several entries
///         "subscriptions": {"old": 2, "new": 3},
///         "active": {"old": 0, "new": 1},      at the end of the log
///         "failed": {"old": 0, "new": 0},
///         "elements": {"old": 4, "new": 9},
///         "medianLife": {"old": 100000000, "new": 200000000},
///                                              nanoseconds; null if none ended
///         "life": "longer"                     or "shorter"; null if neither is clear
///       }],
///       "findings": [{
///         "change": "new",                     or "fixed", "more" or "fewer" subscriptions
///         the members of `FindingJSON`: those of the new log or, if it is fixed, of the old log;
///         "file": "App/Model.swift",           the file of the lane
///         "counts": {"old": 0, "new": 1}       subscriptions
///       }]
///     }
struct DiffJSON {
  static let version = 2

  let diff: LogDiff

  var text: String {
    var json = JSONWriter(.indented)
    json.object { json in
      json.string("format", "trace-viewer-diff")
      json.integer("version", DiffJSON.version)
      json.string("outcome", outcome)
      side("old", diff.old, &json)
      side("new", diff.new, &json)
      json.integer("unchangedLanes", diff.comparison.unchangedLanes)
      json.array("lanes") { json in
        for lane in diff.comparison.lanes { self.lane(lane, &json) }
      }
      json.array("findings") { json in
        for change in diff.comparison.changes { self.change(change, &json) }
      }
    }
    json.newline()
    return json.text
  }

  private var outcome: String {
    switch diff.outcome {
    case .clean: "clean"
    case .findings: "findings"
    case .inconclusive: "inconclusive"
    }
  }

  private func side(_ key: String, _ side: LogDiff.Side, _ json: inout JSONWriter) {
    json.object(key) { json in
      json.string("name", side.name)
      text("process", side.log.header?.process, &json)
      text("started", side.log.header?.started, &json)
      json.integer("subscriptions", side.log.subscriptionCount)
      json.integer("elements", side.log.lifecycles.reduce(0) { $0 + $1.elements })
      json.integer("findings", side.verdict.groups.count)
      json.array("doubts") { json in
        for doubt in side.doubts { json.string(nil, LogSentences.doubt(doubt)) }
      }
    }
  }

  private func lane(_ lane: LogComparison.Lane, _ json: inout JSONWriter) {
    json.object { json in
      json.string("lane", lane.name)
      json.string("change", lane.change.rawValue)
      json.object("source", onOneLine: true) { json in
        text("old", lane.before?.site.source, &json)
        text("new", lane.after?.site.source, &json)
      }
      for figure in LaneFigure.allCases {
        let (old, new) = figure.values(of: lane)
        pair(figure.rawValue, old, new, &json)
      }
      json.object("medianLife", onOneLine: true) { json in
        for (key, life) in [("old", lane.old?.lives?.median), ("new", lane.new?.lives?.median)] {
          if let life { json.integer(key, life.count) } else { json.null(key) }
        }
      }
      text("life", lane.lives.map { $0.new > $0.old ? "longer" : "shorter" }, &json)
    }
  }

  private func change(_ change: LogComparison.Change, _ json: inout JSONWriter) {
    let finding = FindingJSON(log: diff.log(of: change))
    json.object { json in
      json.string("change", change.kind.rawValue)
      finding.writeHead(of: change.group, to: &json)
      json.string("file", change.group.fingerprint.file)
      pair("counts", change.old, change.new, &json)
      finding.writeSubscriptions(of: change.group, to: &json)
    }
  }

  private func pair(_ key: String, _ old: Int, _ new: Int, _ json: inout JSONWriter) {
    json.object(key, onOneLine: true) { json in
      json.integer("old", old)
      json.integer("new", new)
    }
  }

  private func text(_ key: String, _ text: String?, _ json: inout JSONWriter) {
    if let text { json.string(key, text) } else { json.null(key) }
  }
}
