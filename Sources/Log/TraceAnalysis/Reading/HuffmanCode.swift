import TraceFormat

/// A Huffman code of deflated bytes, which finds the symbol that the next bits stand for.
///
/// A table contains the short codes. Long codes, which are rare, are found by counting.
final class HuffmanCode {
  private static let longest = 15
  private static let maxSymbols = 320

  private let tableBits: Int
  /// The symbol and the length of its code, by the next bits; 0 if the code is longer or invalid.
  private let table: UnsafeMutablePointer<UInt16>
  private let counts: UnsafeMutablePointer<Int>
  /// The symbols in the order of their codes.
  private let symbols: UnsafeMutablePointer<UInt16>

  init(tableBits: Int) {
    self.tableBits = tableBits
    table = .allocate(capacity: 1 << tableBits)
    table.initialize(repeating: 0, count: 1 << tableBits)
    counts = .allocate(capacity: Self.longest + 1)
    counts.initialize(repeating: 0, count: Self.longest + 1)
    symbols = .allocate(capacity: Self.maxSymbols)
    symbols.initialize(repeating: 0, count: Self.maxSymbols)
  }

  deinit {
    table.deallocate()
    counts.deallocate()
    symbols.deallocate()
  }

  /// Sets the lengths of the codes of the symbols from 0 on, and returns false if there is no such
  /// code.
  func set(_ lengths: ArraySlice<UInt8>) -> Bool {
    counts.update(repeating: 0, count: Self.longest + 1)
    for length in lengths { counts[Int(length)] += 1 }
    let used = lengths.count - counts[0]
    counts[0] = 0
    var left = 1
    for length in 1...Self.longest {
      left = left << 1 - counts[length]
      guard left >= 0 else { return false }
    }
    // A single code may leave the other half free, and a code that is never used may have no
    // symbols.
    guard left == 0 || used <= 1 else { return false }
    var codes = [Int](repeating: 0, count: Self.longest + 2)
    var starts = [Int](repeating: 0, count: Self.longest + 2)
    for length in 1...Self.longest {
      codes[length + 1] = (codes[length] + counts[length]) << 1
      starts[length + 1] = starts[length] + counts[length]
    }
    table.update(repeating: 0, count: 1 << tableBits)
    for (symbol, length) in lengths.enumerated() where length > 0 {
      let length = Int(length)
      symbols[starts[length]] = UInt16(symbol)
      starts[length] += 1
      let code = codes[length]
      codes[length] += 1
      guard length <= tableBits else { continue }
      var index = Self.reversed(code, length)
      while index < 1 << tableBits {
        table[index] = UInt16(symbol << 4 | length)
        index += 1 << length
      }
    }
    return true
  }

  /// Returns the next symbol; nil if the bits are not a code. The bits must be loaded already.
  @inline(__always)
  func symbol(_ input: inout BitReader) -> Int? {
    let entry = Int(table[input.peek(tableBits)])
    guard entry > 0 else { return longSymbol(&input) }
    input.drop(entry & 15)
    return entry >> 4
  }

  @inline(never)
  private func longSymbol(_ input: inout BitReader) -> Int? {
    var bits = input.peek(Self.longest)
    var (code, first, offset) = (0, 0, 0)
    for length in 1...Self.longest {
      code |= bits & 1
      bits >>= 1
      let count = counts[length]
      if code - count < first {
        input.drop(length)
        return Int(symbols[offset + code - first])
      }
      offset += count
      first = (first + count) << 1
      code <<= 1
    }
    return nil
  }

  private static func reversed(_ code: Int, _ length: Int) -> Int {
    var (code, result) = (code, 0)
    for _ in 0..<length {
      result = result << 1 | code & 1
      code >>= 1
    }
    return result
  }
}
