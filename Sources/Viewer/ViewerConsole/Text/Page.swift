package import TerminalUI

/// The layout of a report: its maximum width and its signs.
package struct Page: Sendable {
  package let width: Int
  package let glyphs: Glyphs

  package init(width: Int, glyphs: Glyphs) {
    self.width = width
    self.glyphs = glyphs
  }

  package var duration: DurationText {
    DurationText(isASCII: glyphs.isASCII)
  }

  /// The page without a width limit, for text that is not in columns.
  package var unbounded: Page {
    Page(width: .max / 2, glyphs: glyphs)
  }

  /// Returns an indentation, which is smaller on a narrow page.
  package func indent(_ columns: Int) -> Int {
    min(columns, width / 8)
  }

  /// Returns text from a log, made safe.
  package func safe(_ text: String) -> String {
    SafeText.make(text, ascii: glyphs.isASCII)
  }

  /// Returns the part of a string that fits on a line. Values may be many megabytes long.
  package func safeBeginning(_ text: String) -> String {
    safe(String(String.UnicodeScalarView(text.unicodeScalars.prefix(min(width, .max / 8) * 4))))
  }

  /// Returns the beginning of a string from a log, which may be many megabytes long.
  package func beginning(_ text: String, _ maxCount: Int) -> String {
    text.utf8.count > maxCount ? String(text.unicodeScalars.prefix(maxCount)) : text
  }

  package func cut(_ text: String, to width: Int) -> String {
    DisplayWidth.cut(text, to: width, ellipsis: glyphs.ellipsis)
  }

  package func cutMiddle(_ text: String, to width: Int) -> String {
    DisplayWidth.cutMiddle(text, to: width, ellipsis: glyphs.ellipsis)
  }

  /// The maximum number of lines for one string. Nobody scrolls further.
  private static let maxPieces = 5000

  /// Returns a string in full, broken at the edge.
  package func pieces(_ text: String, width: Int) -> [String] {
    guard !text.isEmpty else { return [""] }
    var pieces: [String] = []
    var piece = ""
    var columns = 0
    for character in text {
      let wide = DisplayWidth.columns(of: character)
      if columns + wide > width, !piece.isEmpty {
        pieces.append(piece)
        piece = ""
        columns = 0
        if pieces.count >= Self.maxPieces { return pieces + ["(the rest is in the log)"] }
      }
      piece.append(character)
      columns += wide
    }
    return pieces + [piece]
  }

  /// Returns a sentence in full, broken between words, and at the edge where a word is too long.
  package func sentencePieces(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      let joined = line.isEmpty ? String(word) : line + " " + word
      if DisplayWidth.columns(of: joined) <= width {
        line = joined
        continue
      }
      if !line.isEmpty { lines.append(line) }
      let parts = pieces(String(word), width: width)
      lines += parts.dropLast()
      line = parts.last ?? ""
    }
    return line.isEmpty && !lines.isEmpty ? lines : lines + [line]
  }

  /// Returns pieces one after the other, on as many lines as they need. A piece too long for a line
  /// is cut.
  package func flow(
    _ pieces: [Line], separator: String, first: Line = Line(), indent: Int = 0
  ) -> [Line] {
    var lines: [Line] = []
    var line = first
    var columns = line.columns
    var isFresh = true
    let gap = DisplayWidth.columns(of: separator)
    for piece in pieces {
      let wanted = piece.columns
      if !isFresh, columns + gap + wanted > width {
        lines.append(line)
        line = Line(DisplayWidth.spaces(indent))
        columns = line.columns
        isFresh = true
      }
      if !isFresh {
        line.append(separator, .dim)
        columns += gap
      }
      let room = max(1, width - columns)
      line.append(piece.cut(to: room, ellipsis: glyphs.ellipsis))
      columns = wanted <= room ? columns + wanted : line.columns
      isFresh = false
    }
    if !isFresh { lines.append(line) }
    return lines
  }

  /// Returns a sentence, broken between words.
  package func wrap(_ text: String, _ style: Style = .plain, indent: Int = 0) -> [Line] {
    flow(
      text.split(separator: " ").map { Line(String($0), style) }, separator: " ",
      first: Line(DisplayWidth.spaces(indent)), indent: indent
    )
  }
}
