/// The reason why a command cannot be run: an exit code, and a sentence that says what to do.
package struct RunFailure: Error, Equatable {
  package let code: ExitCode
  package let sentence: String

  package init(_ code: ExitCode, _ sentence: String) {
    self.code = code
    self.sentence = sentence
  }
}
