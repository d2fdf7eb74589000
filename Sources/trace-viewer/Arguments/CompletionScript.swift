/// A script that lets a shell complete the words of a command line, made from the table.
struct CompletionScript {
  enum Shell: String, CaseIterable, Sendable {
    case bash, zsh, fish
  }

  let shell: Shell

  var text: String {
    switch shell {
    case .bash: ""
    case .zsh: ""
    case .fish: ""
    }
  }
}
