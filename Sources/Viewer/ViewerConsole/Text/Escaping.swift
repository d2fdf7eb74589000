/// Functions that escape text, one for each kind of destination.
///
/// Functions for text that is shown verbatim make it safe first (`SafeText`), and their comments
/// say so. Text that another program compares changes only in its encoding.
package enum Escaping {
  /// Returns the text with some of its characters replaced.
  package static func replace(
    in text: String, _ replacement: (Unicode.Scalar) -> String?
  ) -> String {
    // The result is an array of bytes, because appending to a view of scalars copies all of it.
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
