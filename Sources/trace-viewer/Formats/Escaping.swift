import TerminalUI

/// Text in the languages of those who read reports: a function for each place that text is put in.
///
/// What is shown as it stands is made safe first (`SafeText`), and each function says so; what another program compares
/// is not changed but in spelling.
enum Escaping {
  /// The text with some of its characters written otherwise.
  static func replace(
    in text: String, _ replacement: (Unicode.Scalar) -> String?
  ) -> String {
    // Bytes, because a view of scalars is copied whole by each text that is appended to it.
    var result: [UInt8] = []
    result.reserveCapacity(text.utf8.count + 16)
    for scalar in text.unicodeScalars {
      if let other = replacement(scalar) {
        result.append(contentsOf: other.utf8)
      } else {
        result.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
