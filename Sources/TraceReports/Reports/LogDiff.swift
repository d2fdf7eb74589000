package import TraceAnalysis
import TraceWords
import ViewerConsole

/// Two logs, their differences, and what the differences prove.
package struct LogDiff {
  package struct Side {
    /// The name that the caller gave to the log.
    let name: String
    package let log: LogAnalysis
    let verdict: Verdict

    package init(name: String, log: LogAnalysis, verdict: Verdict) {
      self.name = name
      self.log = log
      self.verdict = verdict
    }

    var doubts: [Verdict.Doubt] { verdict.doubts.flatMap(\.self) }
  }

  let old: Side
  let new: Side
  let comparison: LogComparison
  private let failOn: Verdict.FailOn

  package init(old: Side, new: Side, failOn: Verdict.FailOn = .error, shows: (String) -> Bool) {
    self.old = old
    self.new = new
    self.failOn = failOn
    comparison = LogComparison(
      old: (old.log, old.verdict), new: (new.log, new.verdict), shows: shows)
  }

  /// The outcome of the comparison. New findings take precedence over doubts, because missing
  /// records cannot make them untrue.
  package var outcome: Verdict.Outcome {
    if new.verdict.outcome(of: comparison.added, failOn: failOn) == .findings { return .findings }
    return old.doubts.isEmpty && new.doubts.isEmpty ? .clean : .inconclusive
  }

  /// A sentence that says what the comparison proves. Its text is not made safe.
  var sentence: String {
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
    let doubts = [old, new].filter { !$0.doubts.isEmpty }.map { side in
      "\(side.name): " + side.doubts.map(LogSentences.doubt).joined(separator: ", and ")
    }
    let found = words.joined(separator: ", ")
    return doubts.isEmpty ? found : found + "; inconclusive: " + doubts.joined(separator: "; ")
  }
}

extension LogComparison.Lane {
  enum Change: String {
    case new, gone, changed
  }

  var change: Change {
    old == nil ? .new : new == nil ? .gone : .changed
  }
}
