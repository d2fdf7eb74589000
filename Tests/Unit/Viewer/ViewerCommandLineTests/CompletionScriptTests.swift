import Testing

@testable import ViewerCommandLine
@testable import ViewerConsole

@Suite("CompletionScript")
struct CompletionScriptTests {
  @Test(
    "The completion script has every command and every option",
    arguments: CompletionShell.allCases)
  func complete(shell: CompletionShell) {
    let text = CompletionScript(shell: shell).text
    for command in CompletionScript.commandNames {
      #expect(text.contains(command), "\(command)")
    }
    for option in CommandTable.options {
      for spelling in option.spellings {
        #expect(text.contains((shell == .fish ? "-l " : "--") + spelling), "\(spelling)")
      }
      for choice in option.choices { #expect(text.contains(choice), "\(choice)") }
    }
  }

  @Test("The completion script can be sourced and quotes its strings")
  func form() {
    #expect(!CompletionScript(shell: .bash).text.hasPrefix("#!"))
    #expect(CompletionScript(shell: .zsh).text.hasPrefix("#compdef trace-viewer\n"))
    #expect(CompletionScript.quote("it's [x] $y") == #"'it'\''s [x] $y'"#)
    for shell in CompletionShell.allCases {
      #expect(CompletionScript(shell: shell).text.hasSuffix("\n"))
    }
  }

  @Test("The bash completion offers a command only its own options")
  func bashOptions() {
    let lines = BashCompletion.text.split(separator: "\n")
    let repair = lines.first { $0.hasPrefix("    repair) ") }
    #expect(
      repair == """
            repair) _trace_viewer_offer '' '' -o --output --color --ascii -h --help --version ;;
        """)
  }
}
