package import TerminalUI

/// A line of a source file with a sign below the column that a message is about.
///
///     --> Sources/Shop/Cart.swift:11:33
///      11 | items.observeNext { self.title = $0 }.dispose(in: bag)
///         |                   ^
package struct SourceExcerpt: Equatable, Sendable {
  /// The path for the reader.
  let path: String
  let line: Int
  /// The column in bytes of UTF-8, from 1, as compilers count. It is 1 if it isn't known.
  let column: Int
  /// The text of the line without the spaces at its beginning and end.
  package let text: String
  /// The number of bytes that were removed at the beginning.
  let indent: Int

  private static let maxBytes = 4 << 20
  private static let maxLineBytes = 2000

  /// Reads a line of a file. Returns nil if the file can't be read or doesn't have the line.
  ///
  /// - Parameters:
  ///   - file: The path to read.
  ///   - path: The path to show.
  package init?(reading file: String, path: String, line: Int, column: Int) {
    guard line > 0, case .bytes(let bytes) = InputFile.read(file), bytes.count <= Self.maxBytes,
      let found = SourceFileText(bytes).lines(line...line).first
    else { return nil }
    let blank: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    let indent = found.prefix(while: blank).count
    let text = found.dropFirst(indent).prefix(Self.maxLineBytes)
    guard !text.isEmpty else { return nil }
    self.path = path
    self.line = line
    self.column = column
    self.indent = indent
    self.text = String(decoding: text, as: UTF8.self)
  }

  /// Returns the lines to show.
  ///
  /// - Parameter mark: The text next to the sign, such as the remedy. It is left out if there is no
  ///   room for it.
  package func lines(_ page: Page, indent: Int, mark: String = "") -> [Line] {
    let number = "\(line)"
    let margin = DisplayWidth.spaces(indent)
    let bar = " | "
    let room = max(8, page.width - indent - number.count - 1 - bar.count)
    // The column counts bytes, and the page columns.
    let before = text.utf8.prefix(max(0, column - 1 - self.indent))
    let prefix = page.safe(String(decoding: before, as: UTF8.self))
    var shown = page.safe(text)
    var at = min(DisplayWidth.columns(of: prefix), DisplayWidth.columns(of: shown))
    // Of a long line, the part around the column is shown.
    if at >= room - 4 {
      let dropped = at - room / 2
      var rest = shown[...]
      var columns = 0
      while columns < dropped, let first = rest.popFirst() {
        columns += DisplayWidth.columns(of: first)
      }
      shown = page.glyphs.ellipsis + rest
      at += DisplayWidth.columns(of: page.glyphs.ellipsis) - columns
    }
    var head = Line(margin + "--> ", .dim)
    head.append("\(page.safe(path)):\(number)" + (column > 1 ? ":\(column)" : ""))
    var code = Line(margin + " " + number + bar, .dim)
    code.append(page.cut(shown, to: room))
    var lines = [head, code]
    if column > 1 {
      var sign = Line(margin + DisplayWidth.spaces(number.count + 1) + bar, .dim)
      sign.append(DisplayWidth.spaces(at))
      let style = Style(color: .red, isBold: true)
      sign.append("^", style)
      // The remedy is above, so a part of it would not help.
      if !mark.isEmpty, sign.columns + 1 + DisplayWidth.columns(of: mark) <= page.width {
        sign.append(" " + mark, style)
      }
      lines.append(sign)
    }
    return lines.map { $0.cut(to: page.width, ellipsis: page.glyphs.ellipsis) }
  }
}

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
