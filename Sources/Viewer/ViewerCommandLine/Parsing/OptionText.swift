package import ViewerConsole

/// Functions that parse the values of options. They return `nil` for text that does not have the
/// expected form.
enum OptionText {
  /// Returns a nonnegative whole number that is written in digits alone.
  static func count(_ text: String) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy(isDigit) else { return nil }
    return Int(text)
  }

  /// Parses `LANE=N`. The name of a lane may contain `=`.
  static func laneAndCount(_ text: String) -> (lane: String, count: Int)? {
    guard let equals = text.lastIndex(of: "="), equals > text.startIndex,
      let count = count(String(text[text.index(after: equals)...]))
    else { return nil }
    return (String(text[..<equals]), count)
  }

  /// Parses `FORMAT:FILE`.
  static func formatAndFile(_ text: String) -> (format: String, file: String)? {
    guard let colon = text.firstIndex(of: ":"), colon > text.startIndex else { return nil }
    let file = text[text.index(after: colon)...]
    return file.isEmpty ? nil : (String(text[..<colon]), String(file))
  }

  /// Parses `RULE=LEVEL` or `RULE.THRESHOLD=NUMBER`.
  static func ruleSetting(_ text: String) -> (rule: String, threshold: String?, setting: String)? {
    guard let equals = text.firstIndex(of: "=") else { return nil }
    let setting = String(text[text.index(after: equals)...])
    let name = text[..<equals]
    guard let dot = name.firstIndex(of: ".") else {
      return name.isEmpty ? nil : (String(name), nil, setting)
    }
    let threshold = name[name.index(after: dot)...]
    guard dot > name.startIndex, !threshold.isEmpty else { return nil }
    return (String(name[..<dot]), String(threshold), setting)
  }

  /// Reports whether a string consists of digits, optionally followed by a point and more digits.
  static func isNumber(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count <= 2 && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(isDigit) }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}

extension ParsedArguments {
  /// The files that `check` writes in addition to what it prints.
  package var formatsAndFiles: [(format: String, file: String)] {
    all(.output).compactMap { OptionText.formatAndFile($0) }
  }
}
