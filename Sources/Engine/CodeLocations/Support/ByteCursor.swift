import SystemLibrary

/// A reader of numbers and text in possibly malformed bytes. Bytes after the end are read as zero.
package struct ByteCursor {
  private let start: UnsafeRawPointer?
  private(set) var position: Int
  private(set) var end: Int

  /// Creates a cursor. The bytes must outlive it.
  package init(_ bytes: UnsafeRawBufferPointer, from position: Int = 0) {
    start = bytes.baseAddress
    end = bytes.count
    self.position = min(max(0, position), end)
  }

  /// The address of the next byte. Only valid if there are bytes before the end.
  private var memory: UnsafeRawPointer { start.unsafelyUnwrapped + position }

  var isAtEnd: Bool { position >= end }

  mutating func move(to new: Int) { position = min(max(0, new), end) }

  package mutating func skip(_ count: Int) {
    position = count < 0 || count > end - position ? end : position + count
  }

  /// Moves the end of the readable bytes to `new`.
  mutating func limit(to new: Int) { end = min(max(position, new), end) }

  mutating func byte() -> UInt8 {
    guard position < end else { return 0 }
    position += 1
    return start.unsafelyUnwrapped.load(fromByteOffset: position - 1, as: UInt8.self)
  }

  /// Reads a little-endian number of 1, 2, 4 or 8 bytes.
  package mutating func number(_ size: Int) -> UInt64 {
    guard size <= end - position else {
      position = end
      return 0
    }
    defer { position += size }
    switch size {
    case 1: return UInt64(memory.load(as: UInt8.self))
    case 2: return UInt64(UInt16(littleEndian: memory.loadUnaligned(as: UInt16.self)))
    case 4: return UInt64(UInt32(littleEndian: memory.loadUnaligned(as: UInt32.self)))
    case 8: return UInt64(littleEndian: memory.loadUnaligned(as: UInt64.self))
    default: return 0
    }
  }

  package mutating func integer(_ size: Int) -> Int { Int(truncatingIfNeeded: number(size)) }

  /// Reads an unsigned LEB128 number.
  mutating func unsigned() -> UInt64 {
    // Most numbers have one byte. Debug builds don't optimize the loop.
    if position < end, let byte = start?.load(fromByteOffset: position, as: UInt8.self), byte < 0x80
    {
      position += 1
      return UInt64(byte)
    }
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while position < end {
      let byte = byte()
      if shift < 64 { value |= UInt64(byte & 0x7F) << shift }
      if byte < 0x80 { break }
      shift += 7
    }
    return value
  }

  /// Reads a signed LEB128 number.
  mutating func signed() -> Int64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while position < end {
      let byte = byte()
      if shift < 64 { value |= UInt64(byte & 0x7F) << shift }
      shift += 7
      if byte < 0x80 {
        if byte & 0x40 != 0, shift < 64 { value |= ~0 << shift }
        break
      }
    }
    return Int64(bitPattern: value)
  }

  /// The maximum size of a string in bytes.
  static let maxTextLength = 4096

  /// Reads the bytes up to the next zero, and skips the zero. Returns only the first
  /// `maxTextLength` bytes of a longer string.
  package mutating func text() -> String {
    let first = position
    skipText()
    guard let start, first < position else { return "" }
    let bytes = UnsafeRawBufferPointer(
      start: start + first, count: min(position - first, Self.maxTextLength))
    return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// Skips all bytes up to and including the next zero.
  mutating func skipText() {
    guard position < end else { return }
    let zero = memchr(memory, 0, end - position)
    position = zero.map { UnsafeRawPointer($0) - memory + position + 1 } ?? end
  }
}
