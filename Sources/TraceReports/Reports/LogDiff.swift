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
    let added = comparison.added
    let errors = added.count { $0.isProven && $0.level == .error }
    let warnings = added.count { $0.isProven && $0.level != .error }
    let unproven = added.count { !$0.isProven }
    var words = [errors == 0 ? "no new errors" : CountText.make(errors, "new error")]
    if warnings > 0 { words.append(CountText.make(warnings, "new warning")) }
    if unproven > 0 {
      words.append(CountText.make(unproven, "new suspicion", "new suspicions") + " without proof")
    }
    if comparison.fixed > 0 { words.append("\(CountText.number(comparison.fixed)) fixed") }
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
