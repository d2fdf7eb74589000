/// A shell that can complete command lines.
enum CompletionShell: String, CaseIterable, Sendable {
  case bash, zsh, fish
}
