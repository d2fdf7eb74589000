/// Why the command ends without a check.
struct Failure: Error {
  let code: Int32
  let message: String

  init(code: Int32, _ message: String) {
    self.code = code
    self.message = message
  }
}
