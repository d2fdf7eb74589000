package import TraceAnalysis

/// The lines of a log in the order of its bytes, read with a buffer of a fixed size.
package struct LogLines {
  /// A line without the padding around its text.
  struct Line {
    /// The line number, from 1.
    let number: Int
    /// The offset of its text in the log, in bytes.
    let offset: Int
    let padding: Padding
    /// A Boolean value that indicates whether the line is longer than any record can be. Its text
    /// is empty in that case.
    let isTooLong: Bool
    /// A Boolean value that indicates whether a line feed follows.
    let isEnded: Bool
  }

  /// Bytes without meaning around the text of a line.
  struct Padding: OptionSet {
    let rawValue: Int
    static let byteOrderMark = Padding(rawValue: 1)
    static let carriageReturn = Padding(rawValue: 2)
    static let nul = Padding(rawValue: 4)
    static let space = Padding(rawValue: 8)
  }

  private let file: LogSource
  private let pieceSize: Int
  private let maxLineLength: Int
  private var number = 0
  private var text: [UInt8] = []
  private var offset = 0
  private var padding: Padding = []
  private var isTooLong = false
  private var isEmpty = true
  /// The length of the line in bytes, including its padding.
  private var length = 0

  /// Creates the lines. Only tests choose the sizes.
  package init(
    _ file: LogSource, piece: Int = 1 << 18, maxLineLength: Int = LogReader.maxLineLength
  ) {
    self.file = file
    pieceSize = max(1, piece)
    self.maxLineLength = maxLineLength
  }

  /// Calls `body` with each line and the bytes of its text, until it returns false.
  mutating func forEach(_ body: (Line, UnsafeBufferPointer<UInt8>) -> Bool) throws(LogError) {
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceSize, alignment: 64)
    defer { piece.deallocate() }
    var position = 0
    while true {
      let count = try file.read(into: piece, from: position)
      guard count > 0 else { break }
      var start = 0
      while start < count {
        let rest = piece[start..<count]
        let end = rest.firstIndex(of: 0x0A)
        take(rest[..<(end ?? count)], at: position + start)
        start = (end ?? count) + 1
        if end != nil, !finish(isEnded: true, body) { return }
      }
      position += count
    }
    if !isEmpty { _ = finish(isEnded: false, body) }
  }

  private mutating func take(_ bytes: Slice<UnsafeMutableRawBufferPointer>, at position: Int) {
    guard !bytes.isEmpty else { return }
    isEmpty = false
    length += bytes.count
    var start = bytes.startIndex
    // A file system may leave many NUL bytes before a line. They aren't stored.
    while text.isEmpty, !isTooLong, start < bytes.endIndex, note(bytes[start]) { start += 1 }
    if text.isEmpty, !isTooLong, start < bytes.endIndex {
      offset = position + start - bytes.startIndex
    }
    // The reader counts the same bytes.
    if length >= maxLineLength {
      isTooLong = true
      text.removeAll()
    }
    guard start < bytes.endIndex, !isTooLong else { return }
    text.append(contentsOf: bytes[start...])
  }

  /// Notes a byte without meaning, or returns false for any other byte.
  private mutating func note(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x00: padding.insert(.nul)
    case 0x0D: padding.insert(.carriageReturn)
    case 0x20, 0x09: padding.insert(.space)
    default: return false
    }
    return true
  }

  private mutating func finish(
    isEnded: Bool, _ body: (Line, UnsafeBufferPointer<UInt8>) -> Bool
  ) -> Bool {
    number += 1
    var end = text.count
    while end > 0, note(text[end - 1]) { end -= 1 }
    var start = 0
    if number == 1, offset == 0, text.starts(with: [0xEF, 0xBB, 0xBF]) {
      padding.insert(.byteOrderMark)
      start = 3
      while start < end, note(text[start]) { start += 1 }
    }
    let line = Line(
      number: number, offset: offset + start, padding: padding, isTooLong: isTooLong,
      isEnded: isEnded)
    let isContinuing = text.withUnsafeBufferPointer { bytes in
      body(line, UnsafeBufferPointer(rebasing: bytes[min(start, end)..<end]))
    }
    text.removeAll(keepingCapacity: text.capacity <= pieceSize * 4)
    padding = []
    isTooLong = false
    isEmpty = true
    length = 0
    return isContinuing
  }
}

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
