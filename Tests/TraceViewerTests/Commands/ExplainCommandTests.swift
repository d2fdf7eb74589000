import Testing

@testable import TerminalUI
@testable import TraceAnalysis
@testable import ViewerConsole

@Suite("trace-viewer explain")
struct ExplainCommandTests {
  @Test("Without a rule, trace-viewer explain lists all rules with their levels and summaries")
  func list() {
    let result = run("explain", columns: 200)
    #expect(result.code == .clean)
    #expect(result.error.isEmpty)
    for rule in RuleBook.rules {
      let line = result.lines.first { $0.hasPrefix("  \(rule.id) ") }
      #expect(line?.contains(" \(rule.level.rawValue) ") == true, "\(rule.id)")
      #expect(line?.hasSuffix(rule.summary) == true, "\(rule.id)")
    }
  }

  @Test(
    "The explanation of a rule has its level, summary, thresholds and options",
    arguments: RuleBook.rules.map(\.id))
  func rule(id: String) throws {
    let rule = try #require(RuleBook.rule(id))
    let result = run("explain", id)
    #expect(result.code == .clean)
    #expect(result.lines.first == "\(id)  \(rule.level.rawValue)")
    let words = result.out.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    #expect(words.contains(rule.summary))
    let explanation = rule.explanation.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    #expect(words.contains(explanation))
    #expect(words.contains("--rule=\(id)=off"))
    for threshold in rule.thresholds {
      #expect(words.contains("\(threshold.name): \(threshold.meaning). The default is "))
      #expect(words.contains("--rule=\(id).\(threshold.name)="))
    }
  }

  @Test("An explanation shows default thresholds and the JSON for the settings file")
  func growth() {
    let lines = run("explain", "growth", columns: 100).lines
    #expect(
      lines.contains(
        """
          min: the smallest number of repetitions that each leave more active. The default is 3 \
        repetitions.
        """
      ))
    #expect(lines.contains("  --rule=growth.min=3              Change the threshold."))
    #expect(
      lines.last
        == #"  Or in .trace-viewer.json: { "rules": { "growth": { "level": "error", "min": 3 } } }"#
    )
    #expect(run("explain", "max-active").out.contains("--max-active=LANE=N"))
    #expect(run("explain", "off-main").out.contains("--main=LANE"))
    // The former name of the rule.
    #expect(run("explain", "thread").out == run("explain", "off-main").out)
  }

  @Test(
    "Explanations fit any width",
    arguments: [10, 24, 40, 80, 200])
  func widths(width: Int) {
    for arguments in [["explain"]] + RuleBook.rules.map({ ["explain", $0.id] }) {
      let result =
        arguments.count == 1
        ? run("explain", columns: width) : run("explain", arguments[1], columns: width)
      #expect(result.lines.allSatisfy { DisplayWidth.columns(of: $0) <= width }, "\(arguments)")
    }
  }

  @Test("With --ascii, explanations contain only ASCII")
  func ascii() {
    for rule in RuleBook.rules {
      #expect(run("explain", rule.id, "--ascii", columns: 20).out.utf8.allSatisfy { $0 < 0x80 })
    }
  }

  @Test("An unknown rule is an error that lists the rules and suggests one")
  func unknown() {
    let result = run("explain", "grwth")
    #expect(result.code == .usage)
    #expect(result.out.isEmpty)
    #expect(
      result.error.contains(
        "Unknown rule 'grwth'. Did you mean 'growth'? The rules are: retain-cycle,"))
    #expect(result.error.contains("Did you mean 'growth'?"))
    #expect(run("explain", "growth", "burst").code == .usage)
    #expect(run("explain", "\u{1B}[31m").error.contains("\u{1B}") == false)
  }
}
