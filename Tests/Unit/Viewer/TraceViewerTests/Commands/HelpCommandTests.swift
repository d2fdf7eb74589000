import Testing

@testable import ViewerCommandLine
@testable import ViewerConsole

@Suite("Help, completions and the manual page")
struct HelpCommandTests {
  @Test("Help for an unknown command is an error with a suggestion")
  func unknown() {
    let result = run("help", "nope")
    #expect(result.code == .usage)
    #expect(result.out.isEmpty)
    #expect(
      run("help", "chekc").error.hasPrefix("Error: Unknown command 'chekc'. Did you mean 'check'?"))
  }

  @Test("The help of a command is printed for the command and its option")
  func printed() {
    for command in CommandSpec.Name.allCases {
      let help = run("help", command.rawValue)
      #expect(help.code == .clean)
      #expect(help.out.contains("EXAMPLES"))
      #expect(run(command.rawValue, "--help").out == help.out)
    }
    #expect(run("--help").out.contains("COMMANDS"))
  }

  @Test("The completion script is printed only to standard output")
  func completions() {
    for shell in CompletionShell.allCases {
      let result = run("--generate-completion-script", shell.rawValue)
      #expect(result.code == .clean)
      #expect(result.out == CompletionScript(shell: shell).text)
      #expect(result.error.isEmpty)
    }
    let wrong = run("--generate-completion-script=tcsh")
    #expect(wrong.code == .usage)
    #expect(wrong.error.contains("one of bash, zsh, fish"))
  }

  @Test("The manual page is printed on request")
  func manual() {
    #expect(run("--generate-manual").out == ManualPage.text)
    #expect(run("--generate-manual").code == .clean)
    #expect(run("--generate-manual", "a.jsonl").code == .usage)
  }
}
