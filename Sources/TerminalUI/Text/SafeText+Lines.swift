extension SafeText {
  /// Returns text of several lines, with each line made safe. The lines end with a line feed,
  /// whatever ended them before.
  package static func makeLines(_ text: String) -> String {
    if !text.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D }) { return make(text) }
    var lines: [String] = []
    var line = String.UnicodeScalarView()
    var afterReturn = false
    for scalar in text.unicodeScalars {
      if scalar == "\n", afterReturn {
        afterReturn = false
        continue
      }
      afterReturn = scalar == "\r"
      if scalar == "\n" || scalar == "\r" {
        lines.append(make(String(line)))
        line = String.UnicodeScalarView()
      } else {
        line.append(scalar)
      }
    }
    lines.append(make(String(line)))
    return lines.joined(separator: "\n")
  }
}
