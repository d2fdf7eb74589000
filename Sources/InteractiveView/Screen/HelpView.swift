import TerminalUI
import TraceWords
import ViewerConsole

/// The list of all keys, from the key table.
enum HelpView {
  static func lines(columns: Int, _ page: Page) -> [Line] {
    let names = KeyTable.bindings.map { DisplayWidth.columns(of: name(of: $0, page)) }
    let width = min((names.max() ?? 0) + 2, max(8, columns / 2))
    let longest = KeyTable.bindings.map { DisplayWidth.columns(of: $0.help) }.max() ?? 0
    // Sections are in two columns if there is room for all their words.
    let half = (columns - 2) / 2
    guard half >= width + 2 + longest else {
      return KeyTable.sections.flatMap { section in
        block(section, width: width, columns: columns, page) + [Line()]
      } + SignsView.lines(columns: columns, page)
    }
    let blocks =
      KeyTable.sections.map { block($0, width: width, columns: half, page) }
      + [SignsView.lines(columns: half, page)]
    let all = blocks.reduce(0) { $0 + $1.count + 1 }
    var left: [Line] = []
    var right: [Line] = []
    for block in blocks {
      if left.count < all / 2 { left += block + [Line()] } else { right += block + [Line()] }
    }
    return (0..<max(left.count, right.count)).map { row in
      var line = left.indices.contains(row) ? left[row] : Line()
      guard right.indices.contains(row) else { return line }
      line.pad(to: half + 2)
      for span in right[row].spans { line.append(span.text, span.style) }
      return line
    }
  }

  static func lineCount(columns: Int, _ page: Page) -> Int {
    lines(columns: columns, page).count
  }

  private static func name(of binding: KeyTable.Binding, _ page: Page) -> String {
    binding.names(isASCII: page.glyphs.isASCII)
  }

  private static func block(
    _ section: KeyTable.Section, width: Int, columns: Int, _ page: Page
  ) -> [Line] {
    var lines = [Line(page.cut(section.title, to: columns), .bold)]
    let text = Page(width: max(4, columns - width - 2), glyphs: page.glyphs)
    for binding in section.bindings {
      for (row, help) in text.wrap(binding.help).enumerated() {
        var line = Line("  ")
        if row == 0 {
          line.append(page.cut(name(of: binding, page), to: width - 1), Style(color: .cyan))
        }
        line.pad(to: width + 2)
        line.append(help.text)
        lines.append(line.cut(to: columns, ellipsis: page.glyphs.ellipsis))
      }
    }
    return lines
  }
}
