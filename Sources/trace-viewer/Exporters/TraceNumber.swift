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
    var (high, low) = (FNV1a(), FNV1a(seed: 0x9E37_79B9_7F4A_7C15))
    high.add(name.utf8)
    low.add(name.utf8)
    return high.value.hexadecimalText + (low.value | 1).hexadecimalText
  }

  private static func isValid(_ text: String) -> Bool {
    text.utf8.count == 32 && text.utf8.allSatisfy { RawText.hexDigit($0) != nil }
      && text.utf8.contains { $0 != UInt8(ascii: "0") }
  }
}
