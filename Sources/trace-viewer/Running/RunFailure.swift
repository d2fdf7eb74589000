import ViewerConsole

/// The reason why a command can't be run: an exit code, and a sentence that says what to do.
struct RunFailure: Error, Equatable {
  let code: ExitCode
  let sentence: String

  init(_ code: ExitCode, _ sentence: String) {
    self.code = code
    self.sentence = sentence
  }
}
