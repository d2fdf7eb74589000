import TerminalUI
import TraceWords
import ViewerConsole

/// The list of all keys, from the key table, of all signs, and of the terms of queries.
enum HelpView {
  static func lines(_ help: HelpState, columns: Int, _ page: Page) -> [Line] {
    let terms = terms(columns: columns, page)
    return help.isAboutQueries ? terms : lines(columns: columns, page) + [Line()] + terms
  }

  /// Returns the lines of all keys and signs.
  static func lines(columns: Int, _ page: Page) -> [Line] {
    lines(KeyTable.sections, columns: columns, page) { SignsView.lines(columns: $0, page) }
  }

  /// Returns the terms of queries with their meanings, in as many lines as they need.
  static func terms(columns: Int, _ page: Page) -> [Line] {
    let terms = QueryWords.terms
    let longest = terms.map { DisplayWidth.columns(of: $0.term) }.max() ?? 0
    // On narrow screens, the meaning is below the term.
    let isNarrow = columns < 2 * longest + 12
    let width = isNarrow ? 2 : longest + 2
    let text = Page(width: max(4, columns - width - 2), glyphs: page.glyphs)
    return [Line(page.cut("Terms of / and &", to: columns), .bold)]
      + terms.flatMap { term, meaning in
        var title = Line("  ")
        title.append(page.cut(term, to: max(1, columns - 2)), Style(color: .cyan))
        let words = text.wrap(meaning).enumerated().map { row, part in
          var line = row == 0 && !isNarrow ? title : Line("  ")
          line.pad(to: width + 2)
          line.append(part.text)
          return line.cut(to: columns, ellipsis: page.glyphs.ellipsis)
        }
        return isNarrow ? [title] + words : words
      }
  }

  /// Returns the lines of some sections.
  ///
  /// - Parameter signs: Returns the meanings of the signs in a number of columns.
  static func lines(
    _ sections: [KeyTable.Section], columns: Int, _ page: Page, signs: (_ columns: Int) -> [Line]
  ) -> [Line] {
    let bindings = sections.flatMap(\.bindings)
    let names = bindings.map { DisplayWidth.columns(of: name(of: $0, page)) }
    let width = min((names.max() ?? 0) + 2, max(8, columns / 2))
    let longest = bindings.map { DisplayWidth.columns(of: $0.help) }.max() ?? 0
    // Sections are in two columns if there is room for all their words.
    let half = (columns - 2) / 2
    guard half >= width + 2 + longest else {
      return sections.flatMap { section in
        block(section, width: width, columns: columns, page) + [Line()]
      } + signs(columns)
    }
    let blocks = sections.map { block($0, width: width, columns: half, page) } + [signs(half)]
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
      line.append(right[row])
      return line
    }
  }

  /// Returns the screen with a list of keys.
  ///
  /// - Parameter first: The first visible line.
  static func frame(
    _ all: [Line], first: Int, columns: Int, rows: Int, title: String = "KEYS", _ page: Page
  ) -> Frame {
    let room = max(1, rows - 2)
    let first = max(0, min(first, all.count - room))
    let shown = Array(all.dropFirst(first).prefix(room))
    let more = first + room < all.count ? "down for more, any other key closes" : "any key closes"
    return Frame(
      [Line(DisplayWidth.pad(title, to: columns), .reversed)] + shown
        + Array(repeating: Line(), count: room - shown.count)
        + [Line(page.cut(more, to: columns), .dim)])
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
