import TraceFormat

/// The start of a line, such as `{"t":1204`, in registers. It has at most 24 bytes, followed by
/// newlines.
struct LinePrefix {
  /// The latest time that fits: 115 days.
  static let latestTime = 9_999_999_999_999_999

  private let words: (UInt64, UInt64, UInt64)
  let count: Int

  @inline(__always)
  init(_ time: Int) {
    #if TRACE_WITHOUT_LINE_PREFIX
      self.init(inMemory: time)
    #else
      self.init(inRegisters: time)
    #endif
  }

  /// Creates the prefix in memory, to measure how much registers save. See Benchmarks/README.md.
  @inline(__always)
  private init(inMemory time: Int) {
    let blank = ByteWord.filled(with: 0x0A)
    var bytes = (0x3A_2274_227B | blank << 40, blank, blank)
    count = withUnsafeMutableBytes(of: &bytes) { bytes in
      guard let start = bytes.baseAddress else { return 0 }
      // The function also writes over bytes after the digits.
      return withUnsafeTemporaryAllocation(byteCount: 24, alignment: 8) { digits in
        let count = digits.baseAddress.map { Digits.write(time, to: $0) } ?? 0
        (start + 5).copyMemory(from: digits.baseAddress ?? start, byteCount: count)
        return 5 + count
      }
    }
    words = bytes
  }

  @inline(__always)
  private init(inRegisters time: Int) {
    let (high, low) = UInt64(bitPattern: Int64(time)).quotientAndRemainder(dividingBy: 100_000_000)
    if time >= 0, high > 0, high < 100_000_000 {
      let digits = Digits.eightDigits(high)
      let zeros = digits.trailingZeroBitCount >> 3
      self.init(
        (digits | Digits.asciiZeros) &>> UInt64(8 * zeros), 8 - zeros,
        Digits.eightDigits(low) | Digits.asciiZeros, 8)
    } else if high == 0 {
      let digits = Digits.eightDigits(low)
      let zeros = min(7, digits.trailingZeroBitCount >> 3)
      self.init((digits | Digits.asciiZeros) &>> UInt64(8 * zeros), 8 - zeros, 0, 0)
    } else {
      self.init(slowPath: time)
    }
  }

  /// Creates the prefix from digits in two words. Either all or none of the digits in the second
  /// word are used.
  @inline(__always)
  private init(_ first: UInt64, _ firstCount: Int, _ second: UInt64, _ secondCount: Int) {
    // The first word ends with three digits, and the others follow it.
    let prefix: UInt64 = 0x3A_2274_227B
    let bits = UInt64(8 * firstCount)
    let digits = (
      firstCount == 8 ? first : first | second &<< bits,
      firstCount == 8 ? second : second &>> (64 - bits)
    )
    let total = firstCount + secondCount
    let blank = ByteWord.filled(with: 0x0A)
    let end = UInt64(8 * (total & 7))
    let mask: UInt64 = end == 0 ? 0 : (1 &<< end) &- 1
    // Newlines follow the last digit.
    let low = total < 8 ? digits.0 & mask | blank & ~mask : digits.0
    let high =
      total < 8 ? blank : total < 16 ? digits.1 & mask | blank & ~mask : digits.1
    words = (
      prefix | low &<< 40, low &>> 24 | high &<< 40, high &>> 24 | blank &<< 40
    )
    count = 5 + total
  }

  @inline(never)
  private init(slowPath time: Int) {
    let digits = String(max(0, min(time, Self.latestTime))).utf8
    var words: (UInt64, UInt64) = (0, 0)
    for (index, digit) in digits.enumerated() {
      if index < 8 {
        words.0 |= UInt64(digit) &<< UInt64(8 * index)
      } else {
        words.1 |= UInt64(digit) &<< UInt64(8 * (index - 8))
      }
    }
    if digits.count > 8 {
      self.init(words.0, 8, words.1, digits.count - 8)
    } else {
      self.init(words.0, digits.count, 0, 0)
    }
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
      // This store contains the 15 bytes up to the last digit, and a brace.
      ByteWord.store(low, high & kept | brace &<< 56, to: target, at: count - 15)
    }
  }
}
