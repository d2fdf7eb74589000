import TerminalUI

/// A position in a text. Line and column start at 1. Columns count characters (Unicode scalars).
/// All kinds of line ends are supported.
struct TextPlace: Hashable, Sendable {
  var line: Int
  var column: Int
}

/// The reason that a JSON text was rejected: a code, the position, and a sentence that says what to
/// do.
struct JSONError: Error, Equatable, CustomStringConvertible {
  struct Code: Equatable, Sendable {
    private let name: String

    /// The text is not JSON.
    static let syntax = Code(name: "syntax")
    /// The text is JSON, but its contents are invalid.
    static let content = Code(name: "content")
  }

  let code: Code
  let place: TextPlace
  let sentence: String

  var line: Int { place.line }
  var column: Int { place.column }

  /// The problem and its position. The description is not yet safe to show, because it may quote
  /// the text. Text with a syntax error is not quoted, because it may come from any file and
  /// contain secrets.
  var description: String {
    guard code == .content else { return "line \(line), column \(column): \(sentence)" }
    // The sentence contains the line already, next to the member and before the advice.
    return sentence
  }

  /// Returns the description of an error in a file. The position comes first, where editors look
  /// for it.
  func sentence(in file: String) -> String {
    code == .content ? "\(file):\(line): \(sentence)" : "\(file):\(line):\(column): \(sentence)"
  }

  static func syntax(_ place: TextPlace, _ sentence: String) -> JSONError {
    JSONError(code: .syntax, place: place, sentence: sentence)
  }

  /// Returns an error about a member that JSON allows but the format of the file does not.
  ///
  /// - Parameters:
  ///   - fault: The text after the path, without a period: "must be a string".
  ///   - advice: Further sentences.
  static func content(
    _ path: String, _ place: TextPlace, _ fault: String, advice: String = ""
  ) -> JSONError {
    let advice = advice.isEmpty ? "" : " " + advice
    return JSONError(
      code: .content, place: place,
      sentence: "'\(path)' \(fault) (line \(place.line)).\(advice)")
  }

  /// Returns text for a message, cut to 60 characters because the original may have any length.
  static func cut(_ text: some StringProtocol) -> String {
    let short = text.unicodeScalars.prefix(60)
    return String(String.UnicodeScalarView(short))
      + (short.endIndex < text.unicodeScalars.endIndex ? "..." : "")
  }
}
