/// Functions that make text from a log, a file name or an argument safe to show. No character of
/// safe text can move the cursor, change a color, or hide or reorder the text next to it.
package enum SafeText {
  /// The maximum number of marks on one character. More marks would smear over the lines above and
  /// below.
  private static let maxMarks = 8

  package static func make(_ text: String, ascii: Bool = false) -> String {
    // Most text is plain and needs no closer look.
    if text.hasOnlyBytes(from: 0x20, through: 0x7E) { return withoutCommand(text) }
    var safe = ""
    var base: Unicode.Scalar?
    var marks = 0
    var afterReturn = false
    for scalar in text.unicodeScalars {
      defer { afterReturn = scalar == "\r" }
      if let shown = shown(scalar, ascii: ascii, afterReturn: afterReturn) {
        safe += shown
        base = nil
      } else if CharacterWidth.isZeroWidth(scalar) {
        // Alone, or where it joins nothing, the character would be invisible: two names would look
        // the same.
        if let baseScalar = base, isMark(scalar) || joins(baseScalar, scalar) {
          if marks < maxMarks { safe.unicodeScalars.append(scalar) }
          marks += 1
        } else {
          safe += code(scalar)
        }
      } else {
        safe.unicodeScalars.append(scalar)
        base = scalar
        marks = 0
      }
    }
    return withoutCommand(safe)
  }

  /// Returns the text with the commands of CI services made harmless. These services interpret
  /// lines that begin with `::` or `##`, even in the output of a program. Some of them also
  /// interpret `##[` and `##vso[` anywhere in a line.
  private static func withoutCommand(_ text: String) -> String {
    let words = text.drop { $0 == " " }
    let begins = words.hasPrefix("::") || words.hasPrefix("##")
    guard begins || holdsCommand(text) else { return text }
    let scalars = Array((begins ? words : text[...]).unicodeScalars)
    var safe = ""
    for index in scalars.indices {
      let isCommand = (begins && index == 0) || beginsCommand(scalars[index...])
      safe += isCommand ? code(scalars[index]) : String(scalars[index])
    }
    return safe
  }

  private static func holdsCommand(_ text: String) -> Bool {
    text.withBytes { bytes, count in
      var last: UInt8 = 0
      var index = 0
      while index < count {
        let byte = bytes[index]
        if byte == UInt8(ascii: "#"), last == byte { return true }
        last = byte
        index += 1
      }
      return false
    } ?? false
  }

  /// Reports whether the text begins with `##[` or `##name[`.
  private static func beginsCommand(_ scalars: ArraySlice<Unicode.Scalar>) -> Bool {
    guard scalars.starts(with: ["#", "#"]) else { return false }
    let rest = scalars.dropFirst(2).drop { $0.isASCII && $0.properties.isAlphabetic }
    return rest.first == "["
  }

  /// Returns the replacement for a character that must not be shown, or `nil` for all others.
  private static func shown(_ scalar: Unicode.Scalar, ascii: Bool, afterReturn: Bool) -> String? {
    let value = scalar.value
    if !ascii, value >= 0x20 && value < 0x7F || value > 0x2069 && value < 0xE0000 { return nil }
    switch value {
    case 0x09:
      return " "
    case 0x0A where afterReturn:
      return ""
    case 0x0A, 0x0D, 0x2028, 0x2029:
      return ascii ? "\\n" : "⏎"
    case 0x00...0x1F, 0x7F:
      return "^" + String(Unicode.Scalar(UInt8(scalar.value) ^ 0x40))
    case 0x80...0x9F:
      return "\\x" + String(scalar.value, radix: 16)
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0xE0000...0xE007F:
      return code(scalar)
    default:
      return ascii && !scalar.isASCII ? code(scalar) : nil
    }
  }

  private static func code(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return "<U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + ">"
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory != .format
  }

  /// Reports whether a zero-width joiner or non-joiner after a character combines it and the next
  /// one into one picture or letter.
  private static func joins(_ base: Unicode.Scalar, _ scalar: Unicode.Scalar) -> Bool {
    let isLetterThatJoins = (0x0600...0x0DFF).contains(base.value)
    switch scalar.value {
    case 0x200C: return isLetterThatJoins
    case 0x200D: return isLetterThatJoins || (!base.isASCII && base.properties.isEmoji)
    default: return false
    }
  }
}

extension SafeText {
  /// Returns text of several lines, with each line made safe. The lines end with a line feed,
  /// regardless of how they ended before.
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
