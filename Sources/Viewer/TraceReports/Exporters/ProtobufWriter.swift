/// A writer for Protocol Buffers messages: numbered fields, one after the other.
///
///     var trace = ProtobufWriter()
///     trace.message(1) {
///       $0.varint(8, time)
///       $0.string(2, name)
///     }
///
/// Write a repeated field once for each element. Field numbers range from 1 to 2^29 - 1. Tags of
/// fields up to 15 take one byte.
struct ProtobufWriter {
  private enum WireType: UInt64 {
    case varint = 0
    case fixed64 = 1
    case lengthDelimited = 2
  }

  private(set) var bytes: [UInt8] = []

  /// Discards the bytes that were written, before the next piece of a long file.
  mutating func removeBytes() {
    bytes.removeAll(keepingCapacity: true)
  }

  /// Writes a field of type `uint32`, `uint64` or an enumeration.
  @inline(__always)
  mutating func varint(_ field: Int, _ value: UInt64) {
    tag(field, .varint)
    append(value)
  }

  @inline(__always)
  mutating func bool(_ field: Int, _ value: Bool) {
    varint(field, value ? 1 : 0)
  }

  /// Writes a field of type `fixed64`, which suits random ids.
  mutating func fixed64(_ field: Int, _ value: UInt64) {
    tag(field, .fixed64)
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func string(_ field: Int, _ value: String) {
    var value = value
    value.withUTF8 { data(field, UnsafeRawBufferPointer($0)) }
  }

  /// Writes a field of type `bytes`.
  mutating func data(_ field: Int, _ value: UnsafeRawBufferPointer) {
    tag(field, .lengthDelimited)
    append(UInt64(value.count))
    bytes.append(contentsOf: value)
  }

  mutating func data(_ field: Int, _ value: [UInt8]) {
    value.withUnsafeBytes { data(field, $0) }
  }

  /// Writes a nested message. The length of a message precedes it but is known only after it is
  /// written. The writer reserves one byte, which is enough for a length up to 127, and moves a
  /// longer message once.
  @inline(__always)
  mutating func message(_ field: Int, _ body: (inout ProtobufWriter) -> Void) {
    tag(field, .lengthDelimited)
    bytes.append(0)
    let start = bytes.count
    body(&self)
    let length = bytes.count - start
    if length < 0x80 {
      bytes[start - 1] = UInt8(truncatingIfNeeded: length)
    } else {
      moveUp(from: start, length)
    }
  }

  @inline(never)
  private mutating func moveUp(from start: Int, _ length: Int) {
    let sizeOfLength = (UInt64.bitWidth - UInt64(length).leadingZeroBitCount + 6) / 7
    for _ in 1..<sizeOfLength { bytes.append(0) }
    bytes.withUnsafeMutableBytes { buffer in
      guard let base = buffer.baseAddress else { return }
      (base + start + sizeOfLength - 1).copyMemory(from: base + start, byteCount: length)
      var rest = UInt64(length)
      for index in (start - 1)..<(start + sizeOfLength - 1) {
        let hasMore: UInt8 = rest >= 0x80 ? 0x80 : 0
        buffer[index] = UInt8(truncatingIfNeeded: rest & 0x7F) | hasMore
        rest >>= 7
      }
    }
  }

  @inline(__always)
  private mutating func tag(_ field: Int, _ type: WireType) {
    assert((1..<1 << 29).contains(field), "no field can have the number \(field)")
    append(UInt64(field) << 3 | type.rawValue)
  }

  /// Appends a varint: seven bits per byte, lowest bits first. All bytes but the last have their
  /// top bit set.
  @inline(__always)
  private mutating func append(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }
}
