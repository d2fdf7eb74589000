public import SystemLibrary

/// A table that finds the case of an enumeration whose raw value equals some bytes, without
/// creating a string.
@frozen @usableFromInline
package struct WordTable<Word: CaseIterable & RawRepresentable & Sendable>: Sendable
where Word.RawValue == String {
  @inlinable static var slotCount: Int { 128 }

  @usableFromInline
  struct Entry: Sendable {
    @usableFromInline var bytes: [UInt8]
    @usableFromInline var word: Word?

    @inlinable
    init(bytes: [UInt8] = [], word: Word? = nil) {
      self.bytes = bytes
      self.word = word
    }
  }

  @usableFromInline var slots: [Entry]

  /// Creates the table. The enumeration must have far fewer than 128 cases.
  @inlinable
  package init() {
    slots = Array(repeating: Entry(), count: Self.slotCount)
    for word in Word.allCases {
      let bytes = Array(word.rawValue.utf8)
      var slot = bytes.withUnsafeBufferPointer { words in
        words.baseAddress.map { Self.slot($0, words.count) } ?? 0
      }
      while slots[slot].word != nil { slot = (slot + 1) & (Self.slotCount - 1) }
      slots[slot] = Entry(bytes: bytes, word: word)
    }
  }

  @inlinable
  package func word(_ start: UnsafePointer<UInt8>, _ count: Int) -> Word? {
    guard count > 0 else { return nil }
    var slot = Self.slot(start, count)
    while let word = slots[slot].word {
      if slots[slot].bytes.count == count, memcmp(slots[slot].bytes, start, count) == 0 {
        return word
      }
      slot = (slot + 1) & (Self.slotCount - 1)
    }
    return nil
  }

  @inlinable
  package func word(_ text: RawText) -> Word? {
    guard text.isEscaped else { return word(text.start, text.count) }
    return Word(rawValue: text.string)
  }

  @inlinable @inline(__always)
  static func slot(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int {
    let first = UInt64(start[0])
    let last = UInt64(start[count - 1])
    let middle = UInt64(start[count / 2])
    let mixed = (first | last << 8 | middle << 16 | UInt64(truncatingIfNeeded: count) << 24)
    return Int(truncatingIfNeeded: (mixed &* 0x9E37_79B9_7F4A_7C15) >> 57)
  }
}
