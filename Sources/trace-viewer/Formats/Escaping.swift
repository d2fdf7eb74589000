/// Text in the languages of those who read reports: a function for each place that text is put in.
///
/// What is shown as it stands is made safe first (`SafeText`), and each function says so; what another program compares
/// is not changed but in spelling.
enum Escaping {
  /// The text with some of its characters written otherwise.
  static func replace(
    in text: String, _ replacement: (Unicode.Scalar) -> String?
  ) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if let other = replacement(scalar) {
        result.append(contentsOf: other.unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }
}
