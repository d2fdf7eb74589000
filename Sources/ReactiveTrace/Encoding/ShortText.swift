import TraceFormat

/// A string of at most 16 bytes without escapes, in registers.
///
/// Loading 16 bytes together right after storing them one by one stalls for about 5 nanoseconds. A
/// short value is stored in the file from registers, without that stall.
struct ShortText {
  private let low: UInt64
  private let high: UInt64
  let count: Int

  /// An empty string.
  static let empty = ShortText()

  private init() { (low, high, count) = (0, 0, 0) }

  /// False in a build that measures how much this type saves. See Benchmarks/README.md.
  @inline(__always)
  private static var isUsed: Bool {
    #if TRACE_WITHOUT_SHORT_TEXT
      false
    #else
      true
    #endif
  }

  /// Creates the text of an integer from 0 to 99,999,999. Returns nil for other integers.
  @inline(__always)
  init?(_ integer: Int) {
    guard Self.isUsed, 0..<100_000_000 ~= integer else { return nil }
    let digits = Digits.eightDigits(UInt64(truncatingIfNeeded: integer))
    // The last digit is always present, even for 0.
    let zeros = min(7, digits.trailingZeroBitCount >> 3)
    low = (digits | Digits.asciiZeros) &>> UInt64(8 * zeros)
    high = 0
    count = 8 - zeros
  }

  @inline(__always)
  init?(_ text: UnsafeBufferPointer<UInt8>) {
    guard Self.isUsed, text.count <= 16, let start = text.baseAddress else { return nil }
    let bytes = UnsafeRawPointer(start)
    count = text.count
    if count >= 8 {
      low = ByteWord.load(bytes, at: 0)
      // `high` has the last 8 bytes, except those that are in `low`.
      high = count == 8 ? 0 : ByteWord.load(bytes, at: count - 8) &>> UInt64(8 * (16 - count))
    } else if count >= 4 {
      let first = UInt64(UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self)))
      let last = UInt64(
        UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)))
      low = first | last &<< UInt64(8 * (count - 4))
      high = 0
    } else {
      var word: UInt64 = 0
      for index in 0..<count { word |= UInt64(start[index]) &<< UInt64(8 * index) }
      low = word
      high = 0
    }
    // A string of 14 bytes or more takes two steps, and a character must not be cut in two.
    if count >= 14, (low | high) & 0x8080_8080_8080_8080 != 0 { return nil }
    // The bytes after the end are zero, which would count as control characters.
    let blank = ByteWord.filled(with: 0x20)
    guard !ByteWord.needsEscape(ByteWord.join(low, upTo: min(count, 7), count > 7 ? low : blank)),
      count <= 8
        || !ByteWord.needsEscape(
          ByteWord.join(high, upTo: min(count - 8, 7), count > 15 ? high : blank))
    else { return nil }
  }

  /// The end of a line's prepared part, this text, and the rest of the line, as 48 bytes.
  struct Line {
    private let words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

    /// Creates the bytes. `rest` is at most 16 bytes, with zeros after its end.
    @inline(__always)
    init(
      _ before: (UInt64, UInt64), _ text: ShortText, _ rest: (UInt64, UInt64)
    ) {
      let bits = UInt64(8 * text.count)
      let (a, b, c, d): (UInt64, UInt64, UInt64, UInt64)
      if text.count < 8 {
        (a, b, c, d) = Self.shift(rest, bits, 0)
      } else if text.count < 16 {
        (a, b, c, d) = Self.shift(rest, bits - 64, 1)
      } else {
        (a, b, c, d) = (0, 0, rest.0, rest.1)
      }
      words = (before.0, before.1, text.low | a, text.high | b, c, d)
    }

    /// Returns `rest` shifted up by `words` words and by `bits` more bits, which are less than a
    /// word.
    @inline(__always)
    private static func shift(
      _ rest: (UInt64, UInt64), _ bits: UInt64, _ words: Int
    ) -> (UInt64, UInt64, UInt64, UInt64) {
      let first = rest.0 &<< bits
      let second = rest.1 &<< bits | (bits == 0 ? 0 : rest.0 &>> (64 - bits))
      let third = bits == 0 ? 0 : rest.1 &>> (64 - bits)
      return words == 0 ? (first, second, third, 0) : (0, first, second, third)
    }

    /// Returns the 16 bytes from `offset` on.
    @inline(__always)
    func window(at offset: Int) -> (UInt64, UInt64) {
      let bits = UInt64(8 * (offset & 7))
      switch offset >> 3 {
      case 0: return Self.join(words.0, words.1, words.2, bits)
      case 1: return Self.join(words.1, words.2, words.3, bits)
      case 2: return Self.join(words.2, words.3, words.4, bits)
      case 3: return Self.join(words.3, words.4, words.5, bits)
      default: return Self.join(words.4, words.5, 0, bits)
      }
    }

    @inline(__always)
    private static func join(
      _ a: UInt64, _ b: UInt64, _ c: UInt64, _ bits: UInt64
    ) -> (UInt64, UInt64) {
      if bits == 0 { return (a, b) }
      return (a &>> bits | b &<< (64 - bits), b &>> bits | c &<< (64 - bits))
    }
  }
}

extension TextBuffer {
  /// The text, if it is short and doesn't need escapes.
  @inline(__always)
  var short: ShortText? {
    guard total == count else { return nil }
    return ShortText(
      UnsafeBufferPointer(start: bytes.assumingMemoryBound(to: UInt8.self), count: count))
  }
}
