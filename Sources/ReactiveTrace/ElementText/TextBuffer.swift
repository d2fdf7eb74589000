import TraceFormat

/// The text of one value under construction: the part of it that a log keeps, and the length of the
/// whole text so far.
///
/// The memory belongs to one thread, which reuses it for its next value.
@frozen @usableFromInline
package struct TextBuffer {
  /// The number of bytes kept beyond the limit, so that the cut can fall between two characters.
  @inlinable static var slack: Int { 64 }

  @usableFromInline package internal(set) var bytes: UnsafeMutableRawPointer
  @usableFromInline var capacity: Int
  /// The number of bytes in the buffer.
  @usableFromInline package internal(set) var count = 0
  /// The length in bytes of everything that was appended, including text that isn't kept.
  @usableFromInline package internal(set) var total = 0
  @usableFromInline var room = 0

  @inlinable
  package init() {
    capacity = 512
    bytes = .allocate(byteCount: capacity, alignment: 16)
  }

  @inlinable
  package func deallocate() {
    bytes.deallocate()
  }

  /// Starts a string of which at most `limit` bytes will be written to the log.
  @inlinable @inline(__always)
  package mutating func begin(limit: Int) {
    count = 0
    total = 0
    room = limit < Int.max - Self.slack ? limit + Self.slack : Int.max
  }

  /// A Boolean value that indicates whether the buffer discards further text.
  @inlinable @inline(__always)
  var isFull: Bool { count >= room }

  /// The number of further bytes that will be kept.
  @inlinable @inline(__always)
  var left: Int { room - count }

  @inlinable @inline(__always)
  package mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
    total += text.count
    let kept = min(text.count, room - count)
    guard kept > 0, let start = text.baseAddress else { return }
    if count + kept + 32 > capacity { makeRoomSlowPath(for: kept) }
    (bytes + count).copyMemory(from: start, byteCount: kept)
    count += kept
  }

  @inlinable @inline(__always)
  mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { append($0) }
  }

  mutating func append(_ text: StaticString) {
    append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  @inlinable @inline(__always)
  mutating func append(byte: UInt8) {
    total += 1
    guard !isFull else { return }
    if count + 33 > capacity { makeRoomSlowPath(for: 1) }
    bytes.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count += 1
  }

  /// Appends a string in quotes.
  @inline(__always)
  mutating func append(inQuotes text: UnsafeBufferPointer<UInt8>) {
    guard let start = text.baseAddress, room - count >= text.count + 2,
      count + text.count + 34 <= capacity
    else {
      append(byte: UInt8(ascii: "\""))
      append(text)
      return append(byte: UInt8(ascii: "\""))
    }
    let target = bytes + count
    target.storeBytes(of: UInt8(ascii: "\""), as: UInt8.self)
    (target + 1).copyMemory(from: start, byteCount: text.count)
    target.storeBytes(of: UInt8(ascii: "\""), toByteOffset: text.count + 1, as: UInt8.self)
    count += text.count + 2
    total += text.count + 2
  }

  /// Appends a string of at most 16 bytes in quotes, if it is ASCII that doesn't need escapes.
  /// Returns whether it did. Words take a third of the instructions of single bytes and a copy.
  @inline(__always)
  mutating func append(shortInQuotes text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let start = text.baseAddress, text.count <= 16, room &- count >= text.count &+ 2,
      count &+ 64 <= capacity
    else { return false }
    let source = UnsafeRawPointer(start)
    var low: UInt64 = 0
    // The last 8 bytes of a string of at least that many.
    var last = ByteWord.filled(with: 0x20)
    if text.count >= 8 {
      low = ByteWord.load(source, at: 0)
      last = ByteWord.load(source, at: text.count - 8)
    } else {
      for byte in text.reversed() { low = low &<< 8 | UInt64(byte) }
      low = ByteWord.join(low, upTo: text.count, last)
    }
    guard ByteWord.isPlainASCII(low), ByteWord.isPlainASCII(last),
      ByteWord.marks(of: UInt8(ascii: "'"), in: low)
        | ByteWord.marks(of: UInt8(ascii: "'"), in: last) == 0
    else { return false }
    let target = bytes + count
    target.storeBytes(of: UInt8(ascii: "\""), as: UInt8.self)
    target.storeBytes(of: low.littleEndian, toByteOffset: 1, as: UInt64.self)
    if text.count > 8 {
      target.storeBytes(of: last.littleEndian, toByteOffset: text.count - 7, as: UInt64.self)
    }
    target.storeBytes(of: UInt8(ascii: "\""), toByteOffset: text.count &+ 1, as: UInt8.self)
    count &+= text.count &+ 2
    total &+= text.count &+ 2
    return true
  }

  /// Appends a literal with one store.
  @inline(__always)
  mutating func append(_ literal: ShortLiteral) {
    guard room &- count >= literal.count, count &+ 32 <= capacity else {
      return appendSlowPath(literal)
    }
    bytes.storeBytes(of: literal.word.littleEndian, toByteOffset: count, as: UInt64.self)
    count &+= literal.count
    total &+= literal.count
  }

  @inline(never)
  private mutating func appendSlowPath(_ literal: ShortLiteral) {
    withUnsafeBytes(of: literal.word.littleEndian) { bytes in
      append(UnsafeBufferPointer(rebasing: bytes.bindMemory(to: UInt8.self)[..<literal.count]))
    }
  }

  /// Appends a string of a plan, 16 bytes at a time. 16 bytes of memory follow it.
  @inline(__always)
  mutating func append(_ literal: TextPlan.Literal) {
    guard room &- count >= literal.count, count &+ literal.count &+ 32 <= capacity else {
      return append(UnsafeBufferPointer(start: literal.start, count: literal.count))
    }
    let (source, target) = (UnsafeRawPointer(literal.start), bytes + count)
    var offset = 0
    while offset < literal.count {
      ByteWord.store(
        ByteWord.load(source, at: offset), ByteWord.load(source, at: offset + 8), to: target,
        at: offset)
      offset &+= 16
    }
    count &+= literal.count
    total &+= literal.count
  }

  /// Appends the text of another buffer, and counts the text that the other buffer hasn't kept.
  package mutating func append(_ other: borrowing TextBuffer) {
    append(
      UnsafeBufferPointer(
        start: other.bytes.assumingMemoryBound(to: UInt8.self), count: other.count))
    total += other.total - other.count
  }

  @inlinable @inline(__always)
  package mutating func append(integer: Int) {
    guard UInt(bitPattern: integer) < 10 else { return appendDigits(of: integer) }
    append(byte: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: integer))
  }

  @inline(never) @usableFromInline
  mutating func appendDigits(of integer: Int) {
    guard room - count >= 20, count + 32 <= capacity else { return append(String(integer)) }
    let length = Digits.write(integer, to: bytes + count)
    count += length
    total += length
  }

  /// Appends a number of at most 16 digits and the first `restCount` bytes of `rest`.
  mutating func append(isNegative: Bool, integer: Int, _ rest: UInt64, restCount: Int) {
    guard room - count >= 32, count + 40 <= capacity else {
      if isNegative { append(byte: UInt8(ascii: "-")) }
      append(integer: integer)
      var bytes = rest.littleEndian
      return withUnsafeBytes(of: &bytes) { bytes in
        append(UnsafeBufferPointer(rebasing: bytes.bindMemory(to: UInt8.self)[..<restCount]))
      }
    }
    var length = 0
    if isNegative {
      bytes.storeBytes(of: UInt8(ascii: "-"), toByteOffset: count, as: UInt8.self)
      length = 1
    }
    length += Digits.write(integer, to: bytes + count + length)
    bytes.storeBytes(of: rest.littleEndian, toByteOffset: count + length, as: UInt64.self)
    length += restCount
    count += length
    total += length
  }

  /// Returns the number of bytes to write if at most `limit` bytes are allowed. The result covers
  /// only whole characters.
  @inlinable @inline(__always)
  package func shown(within limit: Int) -> Int {
    total <= limit ? count : shownSlowPath(within: limit)
  }

  @inline(never) @usableFromInline
  func shownSlowPath(within limit: Int) -> Int {
    if hasASCIIBoundary(at: limit) { return limit }
    let text = UnsafeBufferPointer(start: bytes.assumingMemoryBound(to: UInt8.self), count: count)
    return String(decoding: text, as: UTF8.self).bytesOfCharacters(within: limit)
  }

  /// Returns whether a character ends at `offset`, which is known without the rules of Unicode if
  /// the bytes on both sides are ASCII: only a carriage return and a newline are one character.
  /// This saves a fifth of the instructions of a record with a truncated value.
  private func hasASCIIBoundary(at offset: Int) -> Bool {
    guard offset > 0, offset < count else { return false }
    let before = bytes.load(fromByteOffset: offset - 1, as: UInt8.self)
    let after = bytes.load(fromByteOffset: offset, as: UInt8.self)
    return before < 0x80 && after < 0x80 && !(before == 0x0D && after == 0x0A)
  }

  /// Returns the text as a string, cut at the limit.
  package func string(within limit: Int) -> String {
    let text = UnsafeBufferPointer(
      start: bytes.assumingMemoryBound(to: UInt8.self), count: shown(within: limit))
    return String(decoding: text, as: UTF8.self)
  }

  @inline(never) @usableFromInline
  mutating func makeRoomSlowPath(for more: Int) {
    capacity = max(2 * capacity, count + more + 32)
    let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    larger.copyMemory(from: bytes, byteCount: count)
    bytes.deallocate()
    bytes = larger
  }
}

/// At most 8 bytes of ASCII in a word, the first in the low bits. The compiler computes it.
struct ShortLiteral {
  let word: UInt64
  let count: Int

  @inline(__always)
  init(_ text: StaticString) {
    var word: UInt64 = 0
    var index = text.utf8CodeUnitCount
    count = index
    while index > 0 {
      index -= 1
      word = word << 8 | UInt64(text.utf8Start[index])
    }
    self.word = word
  }
}

extension TextBuffer: TextOutputStream {
  @usableFromInline
  package mutating func write(_ text: String) { append(text) }

  /// Appends ASCII text. The digits of floating-point numbers arrive here, without a string.
  @usableFromInline
  package mutating func _writeASCII(_ text: UnsafeBufferPointer<UInt8>) { append(text) }
}
