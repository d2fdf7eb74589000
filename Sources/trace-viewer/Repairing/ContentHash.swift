import TerminalUI
import TraceAnalysis
import TraceFormat

/// A hash of all bytes of a log. The same bytes give the same hash on every machine.
enum ContentHash {
  /// Returns 32 hexadecimal digits, the format of a trace id. The hash is FNV-1a with two start
  /// values.
  static func digits(of file: LogSource) throws(LogError) -> String {
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 64)
    defer { piece.deallocate() }
    var high: UInt64 = 0xCBF2_9CE4_8422_2325
    var low = high ^ UInt64(file.size)
    var position = 0
    while true {
      let count = try file.read(into: piece, from: position)
      guard count > 0 else { break }
      for byte in piece[..<count] {
        high = (high ^ UInt64(byte)) &* 0x100_0000_01B3
        low = (low ^ UInt64(byte) ^ 0xA5) &* 0x100_0000_01B3
      }
      position += count
    }
    return hex(high) + hex(low)
  }

  private static func hex(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
}
