import TraceAnalysis

/// A hash of all bytes of a log. The same bytes give the same hash on every machine.
enum ContentHash {
  /// Returns 32 hexadecimal digits, the format of a trace id. The hash is FNV-1a with two start
  /// values.
  static func digits(of file: LogSource) throws(LogError) -> String {
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 64)
    defer { piece.deallocate() }
    var high = FNV1a()
    var low = FNV1a(seed: FNV1a.offsetBasis ^ UInt64(file.size))
    var position = 0
    while true {
      let count = try file.read(into: piece, from: position)
      guard count > 0 else { break }
      for byte in piece[..<count] {
        high.add(byte)
        low.add(byte ^ 0xA5)
      }
      position += count
    }
    return high.value.hexadecimalText + low.value.hexadecimalText
  }
}
