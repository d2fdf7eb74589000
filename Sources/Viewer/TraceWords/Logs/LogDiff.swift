package import TerminalUI
package import TraceAnalysis
import TraceFormat
import ViewerConsole

/// Two logs, their differences, and what the differences prove.
package struct LogDiff {
  package struct Side {
    /// The name that the caller gave to the log.
    package let name: String
    package let log: LogAnalysis
    package let verdict: Verdict

    package init(name: String, log: LogAnalysis, verdict: Verdict) {
      self.name = name
      self.log = log
      self.verdict = verdict
    }

    package var doubts: [Verdict.Doubt] { verdict.doubts.flatMap(\.self) }
  }

  package let old: Side
  package let new: Side
  package let comparison: LogComparison
  private let failOn: Verdict.FailOn

  package init(old: Side, new: Side, failOn: Verdict.FailOn = .error, shows: (String) -> Bool) {
    self.old = old
    self.new = new
    self.failOn = failOn
    comparison = LogComparison(
      old: (old.log, old.verdict), new: (new.log, new.verdict), shows: shows)
  }

  /// The outcome of the comparison. New findings take precedence over doubts, because missing
  /// records can't make them untrue.
  package var outcome: Verdict.Outcome {
    if new.verdict.outcome(of: comparison.added, failOn: failOn) == .findings { return .findings }
    return old.doubts.isEmpty && new.doubts.isEmpty ? .clean : .inconclusive
  }

  /// A Boolean value that indicates whether the old log was started after the new one.
  package var isReversed: Bool {
    let starts = [old, new].map { $0.log.header?.started.flatMap { RFC3339.nanoseconds(of: $0) } }
    guard let old = starts[0], let new = starts[1] else { return false }
    return old > new
  }

  /// A Boolean value that indicates whether both logs have lanes, but no lane is in both. They are
  /// probably logs of different programs.
  package var hasNothingInCommon: Bool {
    let lanes = comparison.lanes
    return comparison.unchangedLanes == 0 && lanes.allSatisfy { $0.old == nil || $0.new == nil }
      && lanes.contains { $0.old != nil } && lanes.contains { $0.new != nil }
  }

  /// A sentence that says what the comparison proves. Its text is not made safe.
  package var sentence: String {
    let doubts = [old, new].filter { !$0.doubts.isEmpty }.map { side in
      "\(side.name): " + side.doubts.map(LogSentences.doubt).joined(separator: ", and ")
    }
    return sentence(doubts, isShort: false)
  }

  /// Returns the sentence in as few words as possible.
  ///
  /// - Parameter names: What the old and the new log are called.
  package func shortSentence(_ names: (old: String, new: String)) -> String {
    sentence(
      [(names.old, old), (names.new, new)].filter { !$0.1.doubts.isEmpty }.map { name, side in
        "\(name): " + side.doubts.map(LogSentences.shortDoubt).joined(separator: ", ")
      }, isShort: true)
  }

  private func sentence(_ doubts: [String], isShort: Bool) -> String {
    func count(_ kind: LogComparison.Change.Kind, _ severity: Severity) -> Int {
      comparison.changes.count { $0.kind == kind && $0.severity == severity }
    }
    var words = [count(.new, .error) == 0 ? "no new errors" : ""].filter { !$0.isEmpty }
    let kinds: [(Severity, String)] = [
      (.error, "error"), (.warning, "warning"), (.unproven, "unproven finding"),
    ]
    for (severity, word) in kinds where count(.new, severity) > 0 {
      words.append(CountText.make(count(.new, severity), "new \(word)"))
    }
    for (severity, word) in kinds where count(.more, severity) > 0 {
      words.append(CountText.make(count(.more, severity), word) + " with more subscriptions")
    }
    let fixed = comparison.changes.count { $0.kind == .fixed }
    if fixed > 0 { words.append("\(CountText.number(fixed)) fixed") }
    // Other words imply that the new log doesn't have new errors.
    if isShort, words.count > 1, count(.new, .error) == 0 { words.removeFirst() }
    let found = words.joined(separator: ", ")
    return doubts.isEmpty ? found : found + "; inconclusive: " + doubts.joined(separator: "; ")
  }

  /// The style of the sentence.
  package var style: Style {
    switch outcome {
    case .clean: Style(color: .green)
    case .findings: Glyphs.suspectStyle
    case .inconclusive: Style(color: .yellow)
    }
  }

  /// Returns the log that has the finding of a change.
  package func log(of change: LogComparison.Change) -> LogAnalysis {
    (change.new > 0 ? new : old).log
  }
}

extension LogComparison.Lane {
  package enum Change: String {
    case new, gone, changed
  }

  package var change: Change {
    old == nil ? .new : new == nil ? .gone : .changed
  }

  /// The name, with the place if another lane has the same name. It isn't made safe.
  package var title: String {
    guard hasNamesake, let place else { return name }
    return "\(name) (\(place.split(separator: "/").last.map(String.init) ?? place))"
  }
}

extension LogComparison.Change {
  /// The change in words: `new`, `fixed`, `same`, or the numbers of subscriptions.
  package var words: String {
    guard kind == .more || kind == .fewer else { return kind.rawValue }
    let numbers = "\(CountText.make(old, "subscription")) before, \(CountText.number(new)) now"
    return "\(kind.rawValue): \(numbers)"
  }
}
