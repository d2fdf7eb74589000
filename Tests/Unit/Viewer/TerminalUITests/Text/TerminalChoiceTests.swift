import Testing

@testable import TerminalUI

@Suite("Terminal settings")
struct TerminalChoiceTests {
  @Test("Colors depend on the option, then on the environment, then on the terminal")
  func color() {
    func isOn(_ choice: ColorChoice, _ values: [String: String], _ isTerminal: Bool) -> Bool {
      choice.isOn(environment: Environment(values), isTerminal: isTerminal)
    }
    #expect(isOn(.auto, ["TERM": "xterm"], true))
    #expect(!isOn(.auto, ["TERM": "xterm"], false))
    #expect(!isOn(.auto, [:], true))
    #expect(!isOn(.auto, ["TERM": "dumb"], true))
    #expect(!isOn(.auto, ["NO_COLOR": "1", "FORCE_COLOR": "1"], true))
    #expect(isOn(.auto, ["TERM": "xterm", "NO_COLOR": ""], true))
    #expect(isOn(.auto, ["CLICOLOR_FORCE": "1"], false))
    #expect(!isOn(.auto, ["FORCE_COLOR": "0"], true))
    #expect(isOn(.always, ["NO_COLOR": "1"], false))
    #expect(!isOn(.never, ["FORCE_COLOR": "1"], true))
  }

  @Test("The width comes from the terminal or from COLUMNS, and defaults to 100")
  func width() {
    func columns(_ terminal: Int?, _ variable: String? = nil) -> Int {
      TerminalSize.columns(
        terminal: terminal, environment: Environment(variable.map { ["COLUMNS": $0] } ?? [:]))
    }
    #expect(columns(nil) == 100)
    #expect(columns(nil, "72") == 72)
    #expect(columns(120, "72") == 120)
    #expect(columns(nil, "wide") == 100)
    #expect(columns(nil, "-5") == 100)
    #expect(columns(nil, "99999999999") == 1000)
    #expect(columns(3) == 10)
  }

  @Test("Output is ASCII if the locale isn't UTF-8")
  func locale() {
    #expect(Environment(["LANG": "de_DE.UTF-8"]).isUTF8)
    #expect(Environment(["LC_ALL": "C", "LANG": "en_US.utf8"]).isUTF8 == false)
    #expect(Environment(["LC_ALL": "", "LC_CTYPE": "C.utf8"]).isUTF8)
    #expect(Environment().isUTF8 == false)
  }
}
