import TestSupport

@testable import TraceAnalysis
@testable import TraceFormat

/// The findings of one rule in a log with some lines.
struct RuleFixture {
  let log: LogAnalysis
  let findings: [Finding]

  init(
    _ rule: String, _ lines: [String], end: Int? = 100_000_000_000, hasEnd: Bool = true,
    _ change: (inout RuleSettings) -> Void = { _ in }
  ) throws {
    var text = SampleLog.make(lines, end: end)
    if !hasEnd { text = text.split(separator: "\n").dropLast().map { $0 + "\n" }.joined() }
    log = try analyze(text)
    var settings = RuleSettings()
    change(&settings)
    // If several rules find the same leak, it is reported once, so this applies only one rule.
    findings = Verdict(log, settings, rules: RuleBook.rules.filter { $0.id == rule }).findings
  }

  /// The numbers of the subscriptions of each finding.
  var members: [[UInt64]] {
    findings.map { $0.members.map { log.lifecycles[$0].id.number } }
  }

  /// The sentence of each finding, with plain figures.
  var sentences: [String] {
    findings.map { finding in
      finding.sentence.text(
        text: { $0 }, duration: { "\($0.count)" }, count: { "\($0) \($1)\($0 == 1 ? "" : "s")" })
    }
  }
}

/// A second of a log's clock, in nanoseconds.
let second = 1_000_000_000

func scope(_ number: Int, _ name: String, _ begin: Int, _ end: Int) -> [String] {
  [
    #"{"t":\#(begin),"event":"scope-begin","scope":\#(number),"name":"\#(name)"}"#,
    #"{"t":\#(end),"event":"scope-end","scope":\#(number)}"#,
  ]
}
