import SystemLibrary
import TraceFormat

/// Reads numbers and texts from bytes that need not be well-formed: beyond the end everything is zero.
struct ByteCursor {
  private let start: UnsafeRawPointer?
  private(set) var position: Int
  private(set) var end: Int

  /// The bytes must outlive the cursor.
  init(_ bytes: UnsafeRawBufferPointer, from position: Int = 0) {
    start = bytes.baseAddress
    end = bytes.count
    self.position = min(max(0, position), end)
  }

  /// Only asked for where there is something before the end.
  private var memory: UnsafeRawPointer { start.unsafelyUnwrapped + position }

  var isAtEnd: Bool { position >= end }

  mutating func move(to new: Int) { position = min(max(0, new), end) }

  mutating func skip(_ count: Int) {
    position = count < 0 || count > end - position ? end : position + count
  }

  /// Nothing from `new` on is read.
  mutating func limit(to new: Int) { end = min(max(position, new), end) }

  mutating func byte() -> UInt8 {
    guard position < end else { return 0 }
    defer { position += 1 }
    return memory.load(as: UInt8.self)
  }

  /// A number of 1, 2, 4 or 8 bytes, the lowest first.
  mutating func number(_ size: Int) -> UInt64 {
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

  mutating func integer(_ size: Int) -> Int { Int(truncatingIfNeeded: number(size)) }

  /// LEB128 without a sign.
  mutating func unsigned() -> UInt64 {
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

  /// LEB128 with a sign.
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

  /// No text that is read has more bytes.
  static let longestText = 4096

  /// The bytes up to the next zero, which is passed over; of very many the first alone.
  mutating func text() -> String {
    let first = position
    skipText()
    guard let start, first < position else { return "" }
    let bytes = UnsafeRawBufferPointer(
      start: start + first, count: min(position - first, Self.longestText))
    return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// Passes over the next zero and all before it.
  mutating func skipText() {
    guard position < end else { return }
    let zero = memchr(memory, 0, end - position)
    position = zero.map { UnsafeRawPointer($0) - memory + position + 1 } ?? end
  }
}
