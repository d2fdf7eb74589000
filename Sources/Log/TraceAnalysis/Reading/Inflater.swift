import SystemLibrary
import TraceFormat

/// A decompressor of deflated bytes (RFC 1951). It unpacks a damaged file as far as possible.
struct Inflater: ~Copyable {
  enum Fault: Error {
    case cut, damaged
    case failed(LogError)
  }

  /// The maximum distance of a copy, in bytes.
  private static let window = 1 << 15
  private static let capacity = 1 << 18
  /// The number of bytes that are checked to distinguish text from other data.
  private static let sample = 1024
  /// The maximum number of bytes that a copy writes after the capacity.
  private static let slack = 512

  private static let lengthBits =
    [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5]

  private let output: UnsafeMutablePointer<UInt8>
  private let lengths = Extras(lengthBits, from: 3, last: 258)
  private let distances = Extras((0..<30).map { max(0, $0 / 2 - 1) }, from: 1)
  private let sink: (UnsafeRawBufferPointer) throws(LogError) -> Void
  /// The offset in `output` at which the member begins; `written` is the end of the bytes that were
  /// written, and `end` is the end of all bytes.
  private var start = 0
  private var written = 0
  private var end = 0
  private let literals = HuffmanCode(tableBits: 11)
  private let copies = HuffmanCode(tableBits: 9)
  private var checksum = Checksum()
  /// The number of bytes in `output` at which it is flushed.
  private var limit = Inflater.capacity
  /// A Boolean value that indicates whether the bytes must be recognized as text before any of them
  /// is written.
  private var mustBeText = false
  private(set) var size: UInt32 = 0
  /// The number of bytes that were written for all members.
  private(set) var total = 0
  private var endsLine = true
  private let lineEnd: UnsafeMutablePointer<UInt8>

  init(_ sink: @escaping (UnsafeRawBufferPointer) throws(LogError) -> Void) {
    self.sink = sink
    output = .allocate(capacity: Self.capacity + Self.slack)
    output.initialize(repeating: 0, count: Self.capacity + Self.slack)
    lineEnd = .allocate(capacity: 1)
    lineEnd.initialize(to: 0x0A)
  }

  deinit {
    output.deallocate()
    lineEnd.deallocate()
  }

  /// The checksum of the member's bytes.
  var sum: UInt32 { checksum.value }

  /// Unpacks one member.
  ///
  /// - Parameter mustBeText: True if bytes that are not text are a fault. The check takes place
  ///   before any of them is written.
  mutating func member(
    _ input: inout BitReader, mustBeText: Bool
  ) throws(Fault) {
    start = 0
    written = 0
    end = 0
    size = 0
    checksum = Checksum()
    self.mustBeText = mustBeText
    limit = mustBeText ? Self.sample : Self.capacity
    do throws(Fault) {
      while try !block(&input) {}
    } catch {
      // The bytes before the fault are still valid.
      if case .failed = error {} else { try flush(isFault: true) }
      throw error
    }
    try flush()
  }

  /// Unpacks one block, and returns whether it was the last one.
  private mutating func block(_ input: inout BitReader) throws(Fault) -> Bool {
    let isLast = input.take(1) == 1
    let kind = input.take(2)
    if input.isOverrun { throw .cut }
    switch kind {
    case 0: try stored(&input)
    case 1:
      let lengths =
        [UInt8](repeating: 8, count: 144) + [UInt8](repeating: 9, count: 112)
        + [UInt8](repeating: 7, count: 24) + [UInt8](repeating: 8, count: 8)
      guard literals.set(lengths[...]), copies.set([UInt8](repeating: 5, count: 32)[...]) else {
        throw .damaged
      }
      try coded(&input)
    case 2:
      try readCodes(&input)
      try coded(&input)
    default: throw .damaged
    }
    return isLast
  }

  private mutating func stored(_ input: inout BitReader) throws(Fault) {
    input.align()
    let count = input.take(16)
    let complement = input.take(16)
    if input.isOverrun { throw .cut }
    guard count == complement ^ 0xFFFF else { throw .damaged }
    for _ in 0..<count {
      guard let byte = input.byte() else { throw .cut }
      output[end] = byte
      end += 1
      if end >= limit { try flush() }
    }
  }

  private mutating func readCodes(_ input: inout BitReader) throws(Fault) {
    let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
    let literalCount = input.take(5) + 257
    let copyCount = input.take(5) + 1
    let lengthCount = input.take(4) + 4
    var lengths = [UInt8](repeating: 0, count: 19)
    for index in 0..<lengthCount { lengths[order[index]] = UInt8(input.take(3)) }
    if input.isOverrun { throw .cut }
    guard literalCount <= 286, copyCount <= 30, literals.set(lengths[...]) else { throw .damaged }
    let count = literalCount + copyCount
    lengths.removeAll(keepingCapacity: true)
    while lengths.count < count {
      input.prepare()
      guard let symbol = literals.symbol(&input) else { throw input.isOverrun ? .cut : .damaged }
      switch symbol {
      case ..<16: lengths.append(UInt8(symbol))
      case 16:
        guard let last = lengths.last else { throw .damaged }
        lengths.append(contentsOf: repeatElement(last, count: 3 + input.take(2)))
      case 17: lengths.append(contentsOf: repeatElement(0, count: 3 + input.take(3)))
      default: lengths.append(contentsOf: repeatElement(0, count: 11 + input.take(7)))
      }
      if input.isOverrun { throw .cut }
    }
    guard lengths.count == count, lengths[256] > 0, literals.set(lengths[..<literalCount]),
      copies.set(lengths[literalCount...])
    else { throw .damaged }
  }

  private mutating func coded(_ input: inout BitReader) throws(Fault) {
    while true {
      input.prepare()
      guard let symbol = literals.symbol(&input) else { throw input.isOverrun ? .cut : .damaged }
      if symbol < 256 {
        if input.isOverrun { throw .cut }
        output[end] = UInt8(truncatingIfNeeded: symbol)
        end &+= 1
      } else if symbol == 256 {
        if input.isOverrun { throw .cut }
        return
      } else {
        try copy(symbol - 257, &input)
      }
      if end >= limit { try flush() }
    }
  }

  @inline(__always)
  private mutating func copy(_ symbol: Int, _ input: inout BitReader) throws(Fault) {
    guard symbol < lengths.count else { throw .damaged }
    let length = lengths.number(symbol, &input)
    guard let code = copies.symbol(&input) else { throw input.isOverrun ? .cut : .damaged }
    guard code < distances.count else { throw .damaged }
    let distance = distances.number(code, &input)
    if input.isOverrun { throw .cut }
    guard distance <= end - start else { throw .damaged }
    let target = output + end
    let source = target - distance
    if distance >= 8 {
      var index = 0
      // Each copied word may write up to 7 bytes too many, which the next bytes overwrite.
      while index < length {
        let word = UnsafeRawPointer(source + index).loadUnaligned(as: UInt64.self)
        UnsafeMutableRawPointer(target + index).storeBytes(of: word, as: UInt64.self)
        index &+= 8
      }
    } else {
      for index in 0..<length { target[index] = source[index] }
    }
    end += length
  }

  /// Writes the available bytes, and keeps the ones that may still be copied.
  ///
  /// - Parameter isFault: True if the member does not continue as it should.
  @inline(never)
  private mutating func flush(isFault: Bool = false) throws(Fault) {
    let piece = UnsafeRawBufferPointer(start: output + written, count: end - written)
    if mustBeText {
      guard Self.isText(piece), !isFault || piece.count >= 64 else { throw .damaged }
      mustBeText = false
      limit = Self.capacity
      // The rest of the line before the damage must not be joined with the bytes that follow.
      if !endsLine { try write(UnsafeRawBufferPointer(start: lineEnd, count: 1)) }
    }
    if let last = piece.last {
      checksum.add(piece)
      size &+= UInt32(truncatingIfNeeded: piece.count)
      try write(piece)
      endsLine = last == 0x0A
    }
    let kept = min(end - start, Self.window)
    if kept > 0 { memmove(output, output + end - kept, kept) }
    start = 0
    end = kept
    written = kept
  }

  private mutating func write(_ piece: UnsafeRawBufferPointer) throws(Fault) {
    do throws(LogError) { try sink(piece) } catch { throw .failed(error) }
    total += piece.count
  }

  /// Reports whether the bytes are text. Bytes that only happen to unpack do not look like text for
  /// long.
  private static func isText(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.prefix(sample).allSatisfy { $0 >= 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
  }
}

/// The numbers that a symbol stands for, together with the bits after it.
private struct Extras: ~Copyable {
  let count: Int
  /// The lowest number of each symbol, and in the low 8 bits the number of bits after the symbol.
  private let entries: UnsafeMutablePointer<Int>

  /// Creates the numbers of all symbols.
  ///
  /// - Parameter last: A number without extra bits, for the symbol after all others.
  init(_ bits: [Int], from first: Int, last: Int? = nil) {
    count = bits.count + (last == nil ? 0 : 1)
    entries = .allocate(capacity: count)
    var base = first
    for (index, bits) in bits.enumerated() {
      (entries + index).initialize(to: base << 8 | bits)
      base += 1 << bits
    }
    if let last { (entries + count - 1).initialize(to: last << 8) }
  }

  deinit {
    entries.deallocate()
  }

  @inline(__always)
  func number(_ symbol: Int, _ input: inout BitReader) -> Int {
    let entry = entries[symbol]
    defer { input.drop(entry & 0xFF) }
    return (entry >> 8) + input.peek(entry & 0xFF)
  }
}

/// The checksum that a gzip file ends with (CRC-32).
private struct Checksum: ~Copyable {
  private static let tables: [UInt32] = {
    var tables = [UInt32](repeating: 0, count: 8 * 256)
    for index in 0..<256 {
      var value = UInt32(index)
      for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
      tables[index] = value
    }
    for index in 256..<8 * 256 {
      let before = tables[index - 256]
      tables[index] = before >> 8 ^ tables[Int(before & 0xFF)]
    }
    return tables
  }()

  private var register = UInt32.max

  var value: UInt32 { ~register }

  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    var register = self.register
    Self.tables.withUnsafeBufferPointer { tables in
      var index = 0
      while index + 8 <= bytes.count {
        let word =
          UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
          ^ UInt64(register)
        var next: UInt32 = 0
        for byte in 0..<8 {
          next ^=
            tables[(7 - byte) * 256 + Int(truncatingIfNeeded: word >> UInt64(byte * 8) & 0xFF)]
        }
        register = next
        index += 8
      }
      for byte in bytes[index...] {
        register = register >> 8 ^ tables[Int((register ^ UInt32(byte)) & 0xFF)]
      }
    }
    self.register = register
  }
}
