import TerminalUI
import TraceAnalysis
import TraceFormat
package import TraceWords
package import ViewerConsole

/// The differences between two logs as JSON for a reader with little room.
///
///     outcome, sentence           what the comparison proves
///     findings                    the worse ones first: change (new, more, fewer, fixed), id,
///                                 rule, severity, lane, place, sentence, and fix
///     lanes                       lane, place if several lanes have the name, change (new, gone,
///                                 changed), and the old and the new number of subscriptions,
///                                 active ones, failed ones and elements if they differ
package struct BriefDiff {
  private let diff: LogDiff
  private let sources: SourceLocator

  private static let page = Page(width: 100, glyphs: .unicode)
  private static let columns = 120

  package init(_ diff: LogDiff, _ console: Console) {
    self.diff = diff
    let files = diff.comparison.changes.flatMap { change in
      change.group.findings.prefix(1).flatMap {
        EditLocation.files(of: $0, in: diff.log(of: change))
      }
    }
    sources = SourceLocator(Set(files), in: console.directory, exists: console.fileExists)
  }

  /// Returns a JSON object on one line.
  ///
  /// - Parameter tokens: The maximum number of tokens.
  package func text(tokens: Int) -> String {
    let (changes, lanes) = (diff.comparison.changes, diff.comparison.lanes)
    return BriefLists(
      head: { json in
        json.string("outcome", "\(diff.outcome)")
        json.string("sentence", Self.cut(diff.sentence))
        json.integer("unchangedLanes", diff.comparison.unchangedLanes)
      },
      lists: [
        .init(key: "findings", count: changes.count) { entry(changes[$0]) },
        .init(key: "lanes", count: lanes.count) { Self.entry(lanes[$0]) },
      ]
    ).text(tokens: tokens)
  }

  private func entry(_ change: LogComparison.Change) -> String {
    let log = diff.log(of: change)
    let group = change.group
    var json = JSONWriter(.compact)
    json.object { json in
      json.string("change", change.kind.rawValue)
      json.string("id", group.id.description)
      json.string("rule", group.fingerprint.rule)
      json.string("severity", change.severity.rawValue)
      json.string("lane", Self.cut(group.site.lane))
      if group.lanes.count > 1 { json.integer("lanes", group.lanes.count) }
      guard let first = group.findings.first else { return }
      let location = FindingLocation(of: first.lifecycle, in: log, sources)
      json.string("place", "\(Self.cut(location.path)):\(location.line)")
      let words = FindingWords(log: log, page: Self.page)
      json.string("sentence", Self.cut(words.sentence(of: group)))
      if change.isWorse, !first.advice.isEmpty { json.string("fix", Self.cut(first.advice)) }
    }
    return json.text
  }

  private static func entry(_ lane: LogComparison.Lane) -> String {
    var json = JSONWriter(.compact)
    json.object { json in
      json.string("lane", cut(lane.name))
      if lane.hasNamesake, let place = lane.place { json.string("place", cut(place)) }
      json.string("change", lane.change.rawValue)
      for figure in LaneFigure.allCases {
        let (old, new) = figure.values(of: lane)
        guard old != new else { continue }
        json.array(figure.rawValue) { json in
          json.integer(nil, old)
          json.integer(nil, new)
        }
      }
    }
    return json.text
  }

  private static func cut(_ text: String) -> String {
    page.cutMiddle(page.safe(text), to: columns)
  }
}
