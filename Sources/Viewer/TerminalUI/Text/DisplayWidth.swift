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
