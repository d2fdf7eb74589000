/// Functions that measure, cut and pad text in columns of a terminal. The text must already be
/// safe.
package enum DisplayWidth {
  // Every text of every frame is measured. These are plain loops because debug builds don't
  // specialize `map`, `max` and `reduce`, which took a sixth of the time of the tests of screens.
  package static func columns(of text: String) -> Int {
    if text.hasOnlyBytes(from: 0, through: 0x7F) { return text.utf8.count }
    var columns = 0
    for character in text { columns += Self.columns(of: character) }
    return columns
  }

  package static func columns(of character: Character) -> Int {
    var count = 0
    var widest = 0
    for scalar in character.unicodeScalars {
      let columns = CharacterWidth.columns(of: scalar)
      if columns > widest { widest = columns }
      count += 1
    }
    guard count > 1 else { return widest }
    // A flag consists of two letters, and U+FE0F requests the colored form of a sign.
    let scalars = character.unicodeScalars
    let asksForPicture = scalars.contains { $0.value == 0xFE0F || $0.properties.isEmojiModifier }
    let isFlag = scalars.allSatisfy { (0x1F1E6...0x1F1FF).contains($0.value) }
    return asksForPicture || isFlag ? 2 : widest
  }

  /// Reports whether terminals disagree about the width of the text.
  static func isUncertain(_ text: String) -> Bool {
    if text.hasOnlyBytes(from: 0, through: 0x7F) { return false }
    return text.contains { character in
      let scalars = character.unicodeScalars
      return scalars.count > 1 || (scalars.first?.value ?? 0) >= 0x1F000
    }
  }

  /// Returns the text, cut at the end to at most `width` columns.
  package static func cut(_ text: String, to width: Int, ellipsis: String) -> String {
    guard columns(of: text) > width else { return text }
    let mark = columns(of: ellipsis) <= width ? ellipsis : ""
    return prefix(text, width - columns(of: mark)) + mark
  }

  /// Returns the text, cut in the middle so that a path keeps both its beginning and its end.
  package static func cutMiddle(_ text: String, to width: Int, ellipsis: String) -> String {
    guard columns(of: text) > width else { return text }
    let room = width - columns(of: ellipsis)
    guard room >= 4 else { return cut(text, to: width, ellipsis: ellipsis) }
    let head = prefix(text, room / 2)
    let tail = prefix(String(text.reversed()), room - columns(of: head))
    return head + ellipsis + String(tail.reversed())
  }

  package static func pad(_ text: String, to width: Int) -> String {
    text + spaces(width - columns(of: text))
  }

  package static func padLeft(_ text: String, to width: Int) -> String {
    spaces(width - columns(of: text)) + text
  }

  package static func spaces(_ count: Int) -> String {
    String(repeating: " ", count: max(0, count))
  }

  private static func prefix(_ text: String, _ width: Int) -> String {
    var room = width
    var end = text.startIndex
    for index in text.indices {
      room -= columns(of: text[index])
      if room < 0 { break }
      end = text.index(after: index)
    }
    return String(text[..<end])
  }
}

/// The number of terminal columns that a character takes.
///
/// This code has its own table, because the tables of C libraries are old. Characters that East
/// Asian Width calls wide or fullwidth take two columns. Marks and format characters take none.
enum CharacterWidth {
  static func columns(of scalar: Unicode.Scalar) -> Int {
    let value = scalar.value
    if value < 0x300 { return 1 }
    // Views consist of these lines, blocks and signs, so they skip the lookup.
    if value >= 0x2500 && value <= 0x25FC || value >= 0x2010 && value <= 0x2027 { return 1 }
    if isZeroWidth(scalar) { return 0 }
    if value < 0x1100 { return 1 }
    var low = 0
    var high = wide.count
    while low < high {
      let middle = (low + high) / 2
      if wide[middle].last < value { low = middle + 1 } else { high = middle }
    }
    return low < wide.count && wide[low].first <= value ? 2 : 1
  }

  /// Reports whether a character combines with the one before it.
  static func isZeroWidth(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case ..<0x300: return scalar.value == 0xAD
    // Vowels and final consonants of Hangul syllables that are written in pieces.
    case 0x1160...0x11FF, 0xD7B0...0xD7FF: return true
    default: break
    }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return true
    default: return false
    }
  }

  // From the East Asian Width of Unicode 14. Unassigned characters between wide ranges count as
  // wide.
  private static let wide: [(first: UInt32, last: UInt32)] = [
    (0x1100, 0x115F), (0x231A, 0x231B), (0x2329, 0x232A), (0x23E9, 0x23EC), (0x23F0, 0x23F0),
    (0x23F3, 0x23F3), (0x25FD, 0x25FE), (0x2614, 0x2615), (0x2648, 0x2653), (0x267F, 0x267F),
    (0x2693, 0x2693), (0x26A1, 0x26A1), (0x26AA, 0x26AB), (0x26BD, 0x26BE), (0x26C4, 0x26C5),
    (0x26CE, 0x26CE), (0x26D4, 0x26D4), (0x26EA, 0x26EA), (0x26F2, 0x26F3), (0x26F5, 0x26F5),
    (0x26FA, 0x26FA), (0x26FD, 0x26FD), (0x2705, 0x2705), (0x270A, 0x270B), (0x2728, 0x2728),
    (0x274C, 0x274C), (0x274E, 0x274E), (0x2753, 0x2755), (0x2757, 0x2757), (0x2795, 0x2797),
    (0x27B0, 0x27B0), (0x27BF, 0x27BF), (0x2B1B, 0x2B1C), (0x2B50, 0x2B50), (0x2B55, 0x2B55),
    (0x2E80, 0x303E), (0x3041, 0x3247), (0x3250, 0x4DBF), (0x4E00, 0xA4C6), (0xA960, 0xA97C),
    (0xAC00, 0xD7A3), (0xF900, 0xFAD9), (0xFE10, 0xFE19), (0xFE30, 0xFE6B), (0xFF01, 0xFF60),
    (0xFFE0, 0xFFE6), (0x16FE0, 0x18D08), (0x1AFF0, 0x1B2FB), (0x1F004, 0x1F004),
    (0x1F0CF, 0x1F0CF), (0x1F18E, 0x1F18E), (0x1F191, 0x1F19A), (0x1F200, 0x1F265),
    (0x1F300, 0x1F320), (0x1F32D, 0x1F335), (0x1F337, 0x1F37C), (0x1F37E, 0x1F393),
    (0x1F3A0, 0x1F3CA), (0x1F3CF, 0x1F3D3), (0x1F3E0, 0x1F3F0), (0x1F3F4, 0x1F3F4),
    (0x1F3F8, 0x1F43E), (0x1F440, 0x1F440), (0x1F442, 0x1F4FC), (0x1F4FF, 0x1F53D),
    (0x1F54B, 0x1F54E), (0x1F550, 0x1F567), (0x1F57A, 0x1F57A), (0x1F595, 0x1F596),
    (0x1F5A4, 0x1F5A4), (0x1F5FB, 0x1F64F), (0x1F680, 0x1F6C5), (0x1F6CC, 0x1F6CC),
    (0x1F6D0, 0x1F6D2), (0x1F6D5, 0x1F6DF), (0x1F6EB, 0x1F6EC), (0x1F6F4, 0x1F6FC),
    (0x1F7E0, 0x1F7F0), (0x1F90C, 0x1F93A), (0x1F93C, 0x1F945), (0x1F947, 0x1F9FF),
    (0x1FA70, 0x1FAF6), (0x20000, 0x3FFFD),
  ]
}

extension String {
  /// Calls a closure with the bytes of the text in UTF-8, unless the text is empty.
  ///
  /// Every text of every frame is read this way. The tests that draw hostile text take 0.82 of the
  /// processor time that they took with loops over `utf8`, which debug builds don't specialize.
  func withBytes<Result>(_ body: (UnsafePointer<UInt8>, Int) -> Result) -> Result? {
    var text = self
    return text.withUTF8 { bytes in bytes.baseAddress.map { body($0, bytes.count) } }
  }

  /// Reports whether all bytes of the text in UTF-8 are in a range.
  func hasOnlyBytes(from lowest: UInt8, through highest: UInt8) -> Bool {
    withBytes { bytes, count in
      var index = 0
      while index < count {
        let byte = bytes[index]
        if byte < lowest || byte > highest { return false }
        index += 1
      }
      return true
    } ?? true
  }
}
