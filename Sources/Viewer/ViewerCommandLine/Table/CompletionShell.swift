import ViewerConsole

/// A shell that can complete command lines.
package enum CompletionShell: String, OptionChoice {
  case bash, zsh, fish
}
