import TerminalUI

/// Where something stands in a text: both from 1, columns in characters (Unicode scalars), whatever ends the lines.
struct TextPlace: Hashable, Sendable {
  var line: Int
  var column: Int
}

/// Why a JSON text was not taken: a code, the place, and a sentence that says what to do.
struct JSONError: Error, Equatable, CustomStringConvertible {
  struct Code: Equatable, Sendable {
    private let name: String

    /// The text is no JSON.
    static let syntax = Code(name: "syntax")
    /// It is JSON, but says what it must not.
    static let content = Code(name: "content")
  }

  let code: Code
  let place: TextPlace
  let sentence: String

  var line: Int { place.line }
  var column: Int { place.column }

  /// What is wrong and where; not yet safe to show, for it may quote the text. A text that is not of the format asked for is not
  /// quoted: it may be any file, and hold secrets.
  var description: String {
    guard code == .content else { return "line \(line), column \(column): \(sentence)" }
    // The line goes into the sentence that names the member, and what can be done about it comes after.
    return sentence
  }

  /// The same of a text in a file, with the place first, where editors look for it.
  func sentence(in file: String) -> String {
    code == .content ? "\(file):\(line): \(sentence)" : "\(file):\(line):\(column): \(sentence)"
  }

  static func syntax(_ place: TextPlace, _ sentence: String) -> JSONError {
    JSONError(code: .syntax, place: place, sentence: sentence)
  }

  /// A member that JSON allows and the format of the file does not.
  /// - Parameters:
  ///   - fault: What follows the path, without a full stop: "must be a string".
  ///   - advice: Further sentences.
  static func content(
    _ path: String, _ place: TextPlace, _ fault: String, advice: String = ""
  ) -> JSONError {
    let advice = advice.isEmpty ? "" : " " + advice
    return JSONError(
      code: .content, place: place,
      sentence: "'\(path)' \(fault) (line \(place.line)).\(advice)")
  }

  /// Text for a message: not the whole of something that may be of any length.
  static func cut(_ text: some StringProtocol) -> String {
    let short = text.unicodeScalars.prefix(60)
    return String(String.UnicodeScalarView(short))
      + (short.endIndex < text.unicodeScalars.endIndex ? "..." : "")
  }
}
