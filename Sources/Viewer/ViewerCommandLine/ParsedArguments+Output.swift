package import ViewerConsole

extension ParsedArguments {
  /// The files that `check` writes in addition to what it prints.
  package var formatsAndFiles: [(format: String, file: String)] {
    all(.output).compactMap { OptionText.formatAndFile($0) }
  }
}
