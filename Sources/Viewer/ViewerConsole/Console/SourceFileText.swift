/// The text of a source file, of which the viewer shows a few lines.
package struct SourceFileText {
  private let bytes: [UInt8]

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Returns the lines with the given numbers, without the bytes that end a line. Lines that the
  /// file doesn't have are left out.
  ///
  /// - Parameter numbers: The numbers of lines, from 1.
  package func lines(_ numbers: ClosedRange<Int>) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var number = 1
    var start = bytes.startIndex
    while number <= numbers.upperBound, start < bytes.endIndex {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
      if numbers.contains(number) {
        let line = bytes[start..<end]
        lines.append(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
      }
      number += 1
      start = min(bytes.endIndex, end + 1)
    }
    return lines
  }
}
