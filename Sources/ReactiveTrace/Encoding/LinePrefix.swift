import TraceFormat

/// The start of a line, such as `{"t":1204`. It has at most 24 bytes, and newlines follow them.
struct LinePrefix {
  /// The latest time that fits: 115 days.
  static let longest = 9_999_999_999_999_999

  private let words: (UInt64, UInt64, UInt64)
  let count: Int

  @inline(__always)
  init(_ time: Int) {
    let blank = ByteWord.filled(with: 0x0A)
    var bytes = (0x3A_2274_227B | blank << 40, blank, blank)
    count = withUnsafeMutableBytes(of: &bytes) { bytes in
      bytes.baseAddress.map { 5 + Digits.write(time, to: $0 + 5) } ?? 0
    }
    words = bytes
  }

  /// Writes the prefix over newlines as a closed object, in one or two steps.
  @inline(__always)
  func publish(to target: UnsafeMutableRawPointer) {
    let brace = UInt64(UInt8(ascii: "}"))
    if count < 16 {
      // The brace replaces the newline after the last digit.
      let change = (brace ^ 0x0A) &<< UInt64(8 * (count & 7))
      let isFirst = count < 8
      ByteWord.store(
        isFirst ? words.0 ^ change : words.0, isFirst ? words.1 : words.1 ^ change, to: target,
        at: 0)
    } else {
      let kept: UInt64 = .max >> 8
      ByteWord.store(words.0, words.1 & kept | brace &<< 56, to: target, at: 0)
      let bits = UInt64(8 * (count - 15))
      let low = words.0 &>> bits | words.1 &<< (64 - bits)
      let high = words.1 &>> bits | words.2 &<< (64 - bits)
      // This store has the 15 bytes up to the last digit, and a brace.
      ByteWord.store(low, high & kept | brace &<< 56, to: target, at: count - 15)
    }
  }
}
