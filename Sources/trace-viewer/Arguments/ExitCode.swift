/// The exit code of the program.
enum ExitCode: Int32, Sendable {
  case clean = 0
  case findings = 1
  case inconclusive = 2
  case usage = 64
  case notALog = 65
  case cannotOpen = 66
  case cannotWrite = 74
  /// The program was ended by ^C. The value is the one that a shell reports for a program that a
  /// signal ended.
  case interrupted = 130
}
