import ViewerConsole

/// A shell that can complete command lines.
package enum CompletionShell: String, OptionChoice {
  case bash, zsh, fish
}

/// A script that lets a shell complete the words of a command line, generated from the table.
package struct CompletionScript {
  let shell: CompletionShell

  package init(shell: CompletionShell) {
    self.shell = shell
  }

  package var text: String {
    switch shell {
    case .bash: BashCompletion.text
    case .zsh: ZshCompletion.text
    case .fish: FishCompletion.text
    }
  }

  static let commandNames = CommandTable.commands.map(\.name.rawValue)

  /// Returns the options of a command, with the common options last.
  static func options(of command: CommandSpec.Name) -> [OptionSpec] {
    CommandTable.ownOptions(of: command) + CommandTable.commonOptions
  }

  /// Every word, in all commands, that is an option whose value may be the next word.
  static var wordsBeforeValues: [String] {
    var words: [String] = []
    for word in CommandTable.options.filter({ $0.value != nil }).flatMap(\.words)
    where !words.contains(word) {
      words.append(word)
    }
    return words
  }

  /// Returns text in single quotes. Between them, only a single quote has a meaning in all three
  /// shells, and a backslash in fish.
  static func quote(_ text: String) -> String {
    "'" + text.replacing("'", with: #"'\''"#) + "'"
  }
}

extension OptionSpec {
  /// All spellings of the option.
  var words: [String] {
    (letter.map { ["-\($0)"] } ?? []) + spellings.map { "--" + $0 }
  }
}
