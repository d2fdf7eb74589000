import Testing

@testable import ViewerConsole

@Suite("UsageError")
struct UsageErrorTests {
  @Test(
    "An invalid command line has the matching error code",
    arguments: [
      ("--nope a", UsageError.Code.unknownOption), ("-x a", .unknownOption), ("-- --nope", nil),
      ("--form json a", .unknownOption), ("-hx", .unknownOption), ("--=x a", .unknownOption),
      ("--color", .missingValue), ("--format --ascii a", .missingValue),
      ("--lane= a", .missingValue),
      ("check a -f", .missingValue), ("--value -- a", .missingValue),
      ("--color=blue a", .wrongValue), ("--color= a", .wrongValue), ("-fxml a", .wrongValue),
      ("--ascii=yes a", .unexpectedValue), ("--help= a", .unexpectedValue),
      ("chekc a", .unknownCommand), ("frobnicate a", .unknownCommand), ("some.jsonl", nil),
      ("--baseline x a", .foreignOption), ("help --strict", .foreignOption),
      ("--generate-manual check", .foreignOption), ("--generate-manual a.jsonl", .foreignOption),
      ("--generate-manual", nil), ("--generate-completion-script=tcsh", .wrongValue),
      ("report", .missingOperand), ("diff a", .missingOperand), ("diff a b", nil),
      ("diff a b c", .extraOperand), ("repair -o x a b", .extraOperand),
      ("explain a b", nil), ("help a b", .extraOperand), ("help", nil),
      ("repair a", .missingOption), ("repair a -o b", nil),
    ])
  func codes(line: String, code: UsageError.Code?) {
    #expect(usageError(line: line)?.code == code)
  }

  @Test(
    "An invalid number or setting is an error",
    arguments: [
      "--limit=-1 a", "--limit=1.5 a", "--limit=+5 a", "--limit=x a", "--limit= a",
      "--limit=99999999999999999999 a", "--limit=٣ a",
      "--max-active=a a", "--max-active=a= a", "--max-active==1 a", "--max-active=a=-1 a",
      "--rule=growth a", "--rule=growth=loud a", "--rule==off a", "--rule=growth.=1 a",
      "--rule=growth.min=off a", "--rule=growth.min=1. a", "--rule=growth.min=1e3 a",
      "--rule=.min=3 a", "check -o findings.json a", "check -o json: a", "check -o :x a",
      "check -o html:x a",
    ])
  func wrongValues(line: String) {
    #expect(usageError(line: line)?.code == .wrongValue)
  }

  @Test(
    "A valid number or setting isn't an error",
    arguments: [
      "--rule=growth=off a", "--rule=growth.min=3 a", "--rule=stalled.after=1.5 a",
      "--max-active=a.*=3 a", "check -o json:a -o sarif:b a",
    ])
  func rightValues(line: String) {
    #expect(usageError(line: line) == nil)
  }

  @Test(
    "A usage error suggests what was probably meant",
    arguments: [
      ("check --formt a", "Unknown option '--formt'. Did you mean '--format'?"),
      ("--formt json check a", "Unknown option '--formt'. Did you mean '--format'?"),
      ("-format json a", "Unknown option '-format'. Did you mean '--format'?"),
      ("--colour a", "Unknown option '--colour'. Did you mean '--color'?"),
      ("--asci a", "Unknown option '--asci'. Did you mean '--ascii'?"),
      ("--baselin a", "Unknown option '--baselin'. Did you mean '--baseline'?"),
      ("--frobnicate a", "Unknown option '--frobnicate'."),
      ("chekc a", "Unknown command 'chekc'. Did you mean 'check'?"),
      ("repo a", "Unknown command 'repo'. Did you mean 'report'?"),
      ("mables a", "Unknown command 'mables'. Did you mean 'marbles'?"),
    ])
  func suggestions(line: String, sentence: String) {
    #expect(usageError(line: line)?.sentence == sentence)
  }

  @Test("A suggestion prefers an option of the command")
  func nearest() {
    // `--from` is more similar, but a check doesn't have that option.
    #expect(
      usageError(line: "check --form a")?.sentence
        == "Unknown option '--form'. Did you mean '--format'?")
    #expect(
      usageError(line: "export --form a")?.sentence
        == "Unknown option '--form'. Did you mean '--from'?")
  }

  @Test(
    "A usage error lists commands that have the option, valid values or missing arguments",
    arguments: [
      (
        "--baseline x a",
        """
        'report' does not have the option '--baseline'. These commands do: 'check', 'run' and \
        'leaks'.
        """
      ),
      (
        "check --to=5s a",
        """
        'check' does not have the option '--to'. These commands do: 'report', 'replay', 'marbles' \
        and 'export'.
        """
      ),
      (
        "check --generate-manual",
        "Option '--generate-manual' cannot be used with a command or a log."
      ),
      (
        "--color=nver a",
        """
        Invalid value 'nver' for '--color'. It must be one of always, auto, never. Did you mean \
        'never'?
        """
      ),
      (
        "-fjunit a",
        "Invalid value 'junit' for '--format'. It must be one of text, json, markdown, html."
      ),
      (
        "check -o a.json a",
        "Invalid value 'a.json' for '--output'. It must be FORMAT:FILE, such as json:findings.json."
      ),
      ("repair a", "'repair' needs '--output=FILE'."),
      ("diff a", "'diff' needs 2 logs: OLD NEW."),
      ("diff a b c", "'diff' takes only 2 logs. Remove 'c'."),
      ("check", "'check' needs a log."),
    ])
  func sentences(line: String, sentence: String) {
    #expect(usageError(line: line)?.sentence == sentence)
  }

  @Test("An error about an unknown rule suggests a similar one")
  func rules() {
    let error = usageError(line: "--rule=grwth=off a")
    #expect(error?.code == .unknownRule)
    #expect(error?.sentence.contains("Did you mean 'growth'?") == true)
  }

  @Test("An existing file isn't mistaken for a misspelled command")
  func existing() {
    #expect(usageError("chekc", "a", existing: ["chekc"]) == nil)
  }

  @Test("A usage error refers to the command on the line")
  func command() {
    #expect(usageError(line: "--formt json check a")?.command == .check)
    #expect(usageError(line: "check --nope a")?.command == .check)
    #expect(usageError(line: "chekc a")?.command == nil)
  }
}
