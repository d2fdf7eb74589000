internal import ReactiveTrace

/// The stretch of time that `--from` and `--to` ask for.
struct MarbleWindow {
  let times: ClosedRange<Nanoseconds>

  /// All of it where nothing is asked for.
  init(_ arguments: ParsedArguments, _ log: LogAnalysis) throws(UsageError) {
    let start = try MarbleWindow.time(arguments[.from], "--from", log, after: .zero)
    let end = try MarbleWindow.time(arguments[.until], "--to", log, after: start ?? .zero)
    let from = start ?? .zero
    let until = end ?? max(log.duration, from)
    guard from <= until else {
      throw UsageError(
        .wrongValue, arguments.command, "'--to' is before '--from': nothing lies between them.")
    }
    times = from...until
  }

  /// A time, or that of the first mark of a name; of a name that comes again and again the first from `start` on.
  private static func time(
    _ text: String?, _ option: String, _ log: LogAnalysis, after start: Nanoseconds
  ) throws(UsageError) -> Nanoseconds? {
    guard let text else { return nil }
    if let time = nanoseconds(text) { return time }
    let times = log.marks.filter { $0.name == text }.map(\.time)
    if let time = times.filter({ $0 >= start }).min() ?? times.max() { return time }
    let names = Set(log.marks.map(\.name)).sorted()
    let known =
      names.isEmpty
      ? "The log has no marks."
      : "The marks are: \(names.prefix(12).joined(separator: ", "))\(names.count > 12 ? ", ..." : "")."
    throw UsageError(
      .wrongValue, .marbles,
      "'\(text)' is no value of '\(option)', which takes a time, such as 1.5s or 300ms, or the name"
        + " of a mark.\(UsageError.hint(Suggestion.best(text, of: names))) \(known)")
  }

  private static let units: [(name: String, size: Double)] = [
    ("ns", 1), ("us", 1e3), ("µs", 1e3), ("ms", 1e6), ("min", 6e10), ("s", 1e9), ("m", 6e10),
    ("h", 3.6e12), ("", 1e9),
  ]

  /// `1.5s`, `300ms`; a number alone counts seconds.
  static func nanoseconds(_ text: String) -> Nanoseconds? {
    let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let name = text[number.endIndex...].drop { $0 == " " }
    guard OptionText.isNumber(String(number)), let value = Double(String(number)),
      let unit = units.first(where: { $0.name == name })
    else { return nil }
    let count = (value * unit.size).rounded()
    return Nanoseconds(count < 9e18 ? UInt64(count) : .max)
  }
}
