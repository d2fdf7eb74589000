import CRuntime.OwnProcess
import SystemLibrary
import TraceFormat

/// The tracing settings in the environment.
///
/// An invalid setting produces a one-line warning, which names the setting and the valid values.
/// The setting then has its default value.
enum EnvironmentSettings {
  static let prefix = "REACTIVE_TRACE"

  /// The path of the log, or nil if the environment doesn't request a log.
  static var path: String? { EnvironmentVariables.value(prefix) }

  /// The value of `REACTIVE_TRACE_ALL`.
  static let tracksAll: Bool = read("_ALL", takes: "1 or 0", default: false) { flag($0) }

  /// The value of `REACTIVE_TRACE_TASKS`.
  static let tracksTasks: Bool = read("_TASKS", takes: "1 or 0", default: false) { flag($0) }

  /// The value of `REACTIVE_TRACE_INSTANCES`.
  static let countsInstances: Bool = read("_INSTANCES", takes: "1 or 0", default: false) {
    flag($0)
  }

  /// The value of `REACTIVE_TRACE_BREAKPOINT`.
  static let breakpointAction: Trace.BreakpointAction = read(
    "_BREAKPOINT", takes: "trap, log or auto", default: .auto
  ) { Trace.BreakpointAction(rawValue: $0) }

  /// The default of `explanationLimit`.
  private static let defaultExplanationLimit = 2_000_000_000

  /// The time limit in nanoseconds for explaining leaks when the log ends or a leak check fails,
  /// from `REACTIVE_TRACE_EXPLAIN`. If it is 0, leaks aren't explained.
  static let explanationLimit: Int = read(
    "_EXPLAIN", takes: "on, off or at most 3600 seconds, such as 5 or 0.5",
    default: defaultExplanationLimit
  ) { explanationLimit($0) }

  /// Returns the nanoseconds in text such as `on`, `off` or `0.5`, or nil if the text is invalid.
  static func explanationLimit(_ text: String) -> Int? {
    // A number means seconds, even if it is 1.
    if text.utf8.allSatisfy({ 0x30...0x39 ~= $0 || $0 == UInt8(ascii: ".") }) {
      guard let seconds = Double(text), seconds <= 3600 else { return nil }
      return Int(seconds * 1_000_000_000)
    }
    return flag(text).map { $0 ? defaultExplanationLimit : 0 }
  }

  /// The options that the environment sets for a log.
  static var options: Trace.Options {
    warnAboutUnknownSettings()
    // Read now, so that a warning is printed at the start of the program and not at its end.
    _ = explanationLimit
    var options = Trace.Options()
    options.valueLimit = read(
      "_VALUE_LIMIT", takes: "a number of bytes such as 256 or 4K", default: options.valueLimit
    ) { bytes($0) }
    options.recordsValues = read("_VALUES", takes: "on or off", default: true) { flag($0) }
    options.lanes = read("_LANES", takes: "patterns such as 'search.*,-*.tick'", default: .all) {
      Trace.LanePatterns($0)
    }
    options.sizeLimit = sizeLimit
    options.tracksAllSubscriptions = tracksAll
    return options
  }

  private static var sizeLimit: Trace.SizeLimit? {
    let maxSize = read(
      "_MAX_SIZE", takes: "at least 64K bytes, such as 100M", default: Int?.none
    ) { text in bytes(text).flatMap { $0 >= 64 * 1024 ? Optional($0) : nil } }
    let whenFull = read(
      "_WHEN_FULL", takes: "stop, rotate or rotate:3 (the number of files to keep)",
      default: Trace.SizeLimit.WhenFull.stop
    ) { text in
      switch text {
      case "stop": return .stop
      case "rotate": return .rotate(keeping: nil)
      default:
        guard text.hasPrefix("rotate:"), let count = Int(text.dropFirst(7)), count > 0 else {
          return nil
        }
        return .rotate(keeping: count)
      }
    }
    if maxSize == nil, whenFull != .stop {
      Diagnostics.warn(
        "\(prefix)_WHEN_FULL is ignored, because \(prefix)_MAX_SIZE is not set.")
    }
    return maxSize.map { Trace.SizeLimit(bytes: $0, whenFull: whenFull) }
  }

  static let names = [
    "_ALL", "_BREAKPOINT", "_EXPLAIN", "_INSTANCES", "_LANES", "_MAX_SIZE", "_TASKS", "_VALUES",
    "_VALUE_LIMIT", "_WHEN_FULL",
  ]

  private static func warnAboutUnknownSettings() {
    for name in EnvironmentVariables.names(withPrefix: prefix + "_").sorted()
    where !names.contains(String(name.dropFirst(prefix.utf8.count))) {
      Diagnostics.warn(
        "unknown setting \(name), which is ignored. The settings are "
          + names.map { prefix + $0 }.joined(separator: ", ") + ".")
    }
  }

  private static func read<Value>(
    _ name: String, takes what: String, default known: Value, _ parse: (String) -> Value?
  ) -> Value {
    guard let text = EnvironmentVariables.value(prefix + name) else { return known }
    if let value = parse(text) { return value }
    Diagnostics.warn(
      "invalid value '\(text)' for \(prefix)\(name), which takes \(what). "
        + "The default is used instead."
    )
    return known
  }

  static func flag(_ text: String) -> Bool? {
    switch text {
    case "1", "on", "true", "yes": true
    case "0", "off", "false", "no": false
    default: nil
    }
  }

  /// Returns the number of bytes in text such as `4096`, `4K`, `100M` or `2G`, or nil if the text
  /// is invalid. The units are powers of 1024.
  static func bytes(_ text: String) -> Int? {
    let units: [Character: Int] = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30]
    let unit = text.last.flatMap { units[Character($0.uppercased())] }
    let digits = unit == nil ? text[...] : text.dropLast()
    guard !digits.isEmpty, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let count = Int(digits)
    else { return nil }
    let (bytes, overflows) = count.multipliedReportingOverflow(by: unit ?? 1)
    return overflows ? nil : bytes
  }
}
