/// A script that lets a shell complete the words of a command line, made from the table.
struct CompletionScript {
  let shell: CompletionShell

  var text: String {
    switch shell {
    case .bash: BashCompletion.text
    case .zsh: ZshCompletion.text
    case .fish: FishCompletion.text
    }
  }

  static let commandNames = CommandTable.commands.map(\.name.rawValue)

  /// What a command takes, the common options last.
  static func options(of command: CommandSpec.Name) -> [OptionSpec] {
    CommandTable.ownOptions(of: command) + CommandTable.commonOptions
  }

  /// Every word that is an option whose value may be the next word, in all commands.
  static var wordsBeforeValues: [String] {
    var words: [String] = []
    for word in CommandTable.options.filter({ $0.value != nil }).flatMap(\.words)
    where !words.contains(word) {
      words.append(word)
    }
    return words
  }

  /// In single quotes, in which only a single quote means anything to the three shells, and a backslash to fish.
  static func quote(_ text: String) -> String {
    "'" + text.replacing("'", with: #"'\''"#) + "'"
  }
}

extension OptionSpec {
  /// All ways to write it.
  var words: [String] {
    (letter.map { ["-\($0)"] } ?? []) + spellings.map { "--" + $0 }
  }
}
