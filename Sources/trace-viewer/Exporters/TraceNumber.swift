import TerminalUI
import TraceAnalysis
import TraceFormat

/// The id of a trace for OpenTelemetry: sixteen bytes in hexadecimal digits, not all of them zero.
enum TraceNumber {
  /// Returns the trace id of the log if it is a valid one. Otherwise, returns an id that is the
  /// same for every export of the same logs.
  static func text(of log: TraceLog, _ number: Int) -> String {
    if let trace = log.header?.trace, isValid(trace) { return trace.lowercased() }
    let name = "\(number):\(log.header?.trace ?? ""):\(log.title)"
    return hexadecimal(hash(name, seed: 0xCBF2_9CE4_8422_2325))
      + hexadecimal(hash(name, seed: 0x9E37_79B9_7F4A_7C15) | 1)
  }

  /// Returns a number in sixteen hexadecimal digits.
  static func hexadecimal(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }

  private static func isValid(_ text: String) -> Bool {
    text.utf8.count == 32 && text.utf8.allSatisfy { RawText.hexDigit($0) != nil }
      && text.utf8.contains { $0 != UInt8(ascii: "0") }
  }

  /// Returns the FNV-1a hash of a text with a given start value.
  private static func hash(_ text: String, seed: UInt64) -> UInt64 {
    text.utf8.reduce(seed) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
