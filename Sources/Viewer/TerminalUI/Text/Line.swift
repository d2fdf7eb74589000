/// A line of output that consists of pieces of safe text, each with its style.
package struct Line: Equatable, Sendable {
  package struct Span: Equatable, Sendable {
    package var text: String
    package var style: Style

    package init(text: String, style: Style) {
      self.text = text
      self.style = style
    }
  }

  package private(set) var spans: [Span] = []

  package init() {}

  package init(_ text: String, _ style: Style = .plain) {
    append(text, style)
  }

  package mutating func append(_ text: String, _ style: Style = .plain) {
    guard !text.isEmpty else { return }
    if let last = spans.last, last.style == style {
      spans[spans.count - 1].text += text
    } else {
      spans.append(Span(text: text, style: style))
    }
  }

  package mutating func append(_ line: Line) {
    for span in line.spans { append(span.text, span.style) }
  }

  /// Adds spaces up to a column.
  package mutating func pad(to column: Int) {
    append(DisplayWidth.spaces(column - columns))
  }

  /// The line in bold.
  package var bold: Line {
    var line = self
    for index in line.spans.indices { line.spans[index].style.isBold = true }
    return line
  }

  /// Returns the line with a link on all of its text.
  package func linked(_ link: Hyperlink?) -> Line {
    var line = self
    for index in line.spans.indices { line.spans[index].style.link = link }
    return line
  }

  package var columns: Int {
    var columns = 0
    for span in spans { columns += DisplayWidth.columns(of: span.text) }
    return columns
  }

  package var text: String {
    spans.reduce(into: "") { $0 += $1.text }
  }

  /// Returns the line, cut to a number of columns.
  package func cut(to width: Int, ellipsis: String) -> Line {
    guard columns > width else { return self }
    var line = Line()
    var room = width
    for span in spans {
      let columns = DisplayWidth.columns(of: span.text)
      let isLast = columns >= room
      // More text follows the text that just fits, so it must be cut too.
      let text = isLast ? span.text + "  " : span.text
      line.append(DisplayWidth.cut(text, to: room, ellipsis: ellipsis), span.style)
      if isLast { break }
      room -= columns
    }
    return line
  }

  /// Returns the line as text for a terminal or a file.
  ///
  /// - Parameter setsColumn: A Boolean value that indicates whether to set the column of the next
  ///   piece after text whose width terminals disagree about.
  package func render(color: Bool, setsColumn: Bool) -> String {
    var out = ""
    var column = 0
    let trimmed = trimmingEnd()
    for (index, span) in trimmed.enumerated() {
      let sequence = color ? span.style.sequence : ""
      out += sequence + span.text + (sequence.isEmpty ? "" : Style.reset)
      column += DisplayWidth.columns(of: span.text)
      if setsColumn, index < trimmed.count - 1, DisplayWidth.isUncertain(span.text) {
        out += "\u{1B}[\(column + 1)G"
      }
    }
    return out
  }

  private func trimmingEnd() -> [Span] {
    var trimmed = spans
    while var last = trimmed.popLast() {
      while last.text.last == " " { last.text.removeLast() }
      if !last.text.isEmpty { return trimmed + [last] }
    }
    return trimmed
  }
}
