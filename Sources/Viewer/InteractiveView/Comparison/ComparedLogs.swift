import TerminalUI
import TraceAnalysis
import TraceFormat
package import TraceWords
import ViewerConsole

/// Two logs with everything that their view draws. Nothing in it changes, and drawing a row doesn't
/// look at its subscriptions.
package struct ComparedLogs: Sendable {
  /// A row of the view: a lane in both logs.
  struct Row: Sendable {
    let compared: LogComparison.Row
    /// The name, which isn't made safe.
    let name: String
    /// The place in the new log, or in the old one; nil if unknown.
    let place: String?
    /// The lives of the subscriptions in each log; nil if the log lacks the lane.
    let old: Lives?
    let new: Lives?

    var change: LogComparison.Row.Change { compared.change }
  }

  /// The lives of a lane's subscriptions in one log.
  struct Lives: Sendable {
    let population: Population
    /// A Boolean value that indicates whether a subscription is a proven leak.
    let leaks: Bool
  }

  let diff: LogDiff
  /// The verdict of the comparison, which isn't made safe. Making it looks at all findings.
  let verdict: (text: String, style: Style)
  /// A Boolean value that indicates whether no lane is in both logs.
  let hasNothingInCommon: Bool
  /// The rows, with those that differ first.
  let rows: [Row]
  /// The number of rows that differ.
  let differing: Int
  /// The duration of the longer log. Both logs begin at time 0.
  let duration: Nanoseconds
  /// The columns of the widest name or place.
  let labelColumns: Int
  /// The figures that any row has, each with the columns of its widest number.
  let figures: [(figure: LaneFigure, columns: Int)]
  /// Both logs, the old one first, with what a prompt completes.
  let sources: [Completions.Source]

  package init(_ diff: LogDiff) {
    self.diff = diff
    verdict = (diff.shortSentence(("A", "B")), diff.style)
    hasNothingInCommon = diff.hasNothingInCommon
    let (old, new) = (diff.old.log, diff.new.log)
    sources = [diff.old, diff.new].map { ($0.log, LogNames($0.log), $0.verdict.findings) }
    duration = max(old.duration, new.duration)
    let leaks = (old: Self.leaks(diff.old), new: Self.leaks(diff.new))
    rows = diff.comparison.rows(old, new).map { row in
      Row(
        compared: row, name: Self.name(row, diff), place: Self.place(row),
        old: row.lane?.before.map { Lives($0, old, leaks.old) },
        new: row.lane?.after.map { Lives($0, new, leaks.new) })
    }
    differing = rows.count { $0.change != .same }
    labelColumns =
      rows.lazy.map { row in
        let place = row.place.map { PlacedText.withoutFolders($0) } ?? ""
        return max(
          DisplayWidth.columns(of: SafeText.make(row.name)),
          DisplayWidth.columns(of: SafeText.make(place)))
      }.max() ?? 0
    let lanes = rows.compactMap(\.compared.lane)
    figures = LaneFigure.allCases.map { figure in
      let greatest = lanes.lazy.map { max(figure.values(of: $0).old, figure.values(of: $0).new) }
      let widest = CountText.number(greatest.max() ?? 0).utf8.count
      return (figure, max(widest, figure.shortTitle.utf8.count))
    }
  }

  /// Returns the rows that have a subscription which a query selects in either log, ascending, or
  /// nil if a log can't be read again.
  ///
  /// - Parameter isWanted: A function that returns false to stop reading.
  func rows(
    selectedBy query: Query, isWanted: @escaping @Sendable () -> Bool = { true }
  ) -> [Int]? {
    var selected: [[Bool]] = []
    for source in sources {
      let facts = QueryFacts(source.findings)
      guard let events = try? query.events(in: source.log, facts, isWanted: isWanted) else {
        return nil
      }
      selected.append(query.matches(in: source.log, facts, events: events))
    }
    return rows.indices.filter { number in
      let compared = rows[number].compared
      if let lane = compared.lane {
        return zip(selected, [lane.before, lane.after]).contains { isSelected, lane in
          lane?.members.contains { isSelected[$0] } ?? false
        }
      }
      return compared.findings.contains { change in
        let isSelected = selected[change.new > 0 ? 1 : 0]
        return change.group.findings.contains { isSelected[$0.lifecycle] }
      }
    }
  }

  /// Returns the subscriptions that are proven leaks.
  private static func leaks(_ side: LogDiff.Side) -> Set<Int> {
    Set(side.verdict.findings.filter { $0.level == .error && $0.isProven }.flatMap(\.affected))
  }

  private static func name(_ row: LogComparison.Row, _ diff: LogDiff) -> String {
    if let lane = row.lane { return lane.name }
    guard let change = row.findings.first, let finding = change.group.findings.first else {
      return ""
    }
    let log = diff.log(of: change)
    return log.title(of: log.lifecycles[finding.lifecycle])
  }

  private static func place(_ row: LogComparison.Row) -> String? {
    if let lane = row.lane { return lane.place }
    guard let group = row.findings.first?.group else { return nil }
    return group.observed?.source ?? group.site.source
  }
}

extension ComparedLogs.Lives {
  fileprivate init(_ lane: PlacedLane, _ log: LogAnalysis, _ leaking: Set<Int>) {
    population = log.population(of: lane.members)
    leaks = !leaking.isEmpty && lane.members.contains { leaking.contains($0) }
  }
}
