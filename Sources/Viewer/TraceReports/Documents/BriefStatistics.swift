import TerminalUI
package import TraceAnalysis
import TraceFormat
import TraceWords
import ViewerConsole

/// The statistics of logs by lane as JSON for a reader with little room.
///
///     outcome, verdict            whether the logs have findings
///     duration, records, subscriptions, active
///     lanes                       those with active subscriptions first: lane, subscriptions, how
///                                 many of them are active, completed, failed, disposed or
///                                 released, elements, and the median life of those that ended
package struct BriefStatistics {
  private let log: LogAnalysis
  private let verdict: Verdict

  private static let page = Page(width: 100, glyphs: .unicode)
  private static let columns = 80

  package init(_ log: LogAnalysis, _ verdict: Verdict) {
    self.log = log
    self.verdict = verdict
  }

  /// Returns a JSON object on one line.
  ///
  /// - Parameter tokens: The maximum number of tokens.
  package func text(tokens: Int) -> String {
    let lanes = LaneSummary.lanes(of: ExcerptFigures(log).ofSubscriptions).sorted {
      ($0[.active], $0.subscriptions) > ($1[.active], $1.subscriptions)
    }
    return BriefLists(
      head: { json in
        json.string("outcome", "\(verdict.outcome)")
        json.string("verdict", VerdictView(log, verdict).line(Self.page).text)
        json.string("duration", Self.page.duration(log.duration))
        json.integer("records", log.logs.reduce(0) { $0 + $1.records })
        json.integer("subscriptions", log.subscriptionCount)
        json.integer("active", log.lifecycles.count { $0.isActive && !$0.isObject })
      },
      lists: [.init(key: "lanes", count: lanes.count) { Self.entry(lanes[$0]) }]
    ).text(tokens: tokens)
  }

  private static func entry(_ lane: LaneSummary) -> String {
    var json = JSONWriter(.compact)
    json.object { json in
      json.string("lane", page.cutMiddle(page.safe(lane.lane), to: columns))
      json.integer("subscriptions", lane.subscriptions)
      for state in Lifecycle.State.allCases where lane[state] > 0 {
        json.integer("\(state)", lane[state])
      }
      json.integer("elements", lane.elements)
      if let lives = lane.lives { json.string("medianLife", page.duration(lives.median)) }
    }
    return json.text
  }
}
