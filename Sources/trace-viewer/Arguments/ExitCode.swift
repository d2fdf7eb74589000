/// What the program says to the one who started it.
enum ExitCode: Int32, Sendable {
  case clean = 0
  case findings = 1
  case inconclusive = 2
  case usage = 64
  case notALog = 65
  case cannotOpen = 66
  case cannotWrite = 74
  /// By ^C, as a shell says it of a program that a signal ended.
  case interrupted = 130
}
