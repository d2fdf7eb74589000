import TerminalUI
import TraceAnalysis

/// The layout of a report: its maximum width and its signs.
struct Page: Sendable {
  let width: Int
  let glyphs: Glyphs

  var duration: DurationText {
    DurationText(isASCII: glyphs.isASCII)
  }

  /// The page without a width limit, for text that is not in columns.
  var unbounded: Page {
    Page(width: .max / 2, glyphs: glyphs)
  }

  /// Returns an indentation, which is smaller on a narrow page.
  func indent(_ columns: Int) -> Int {
    min(columns, width / 8)
  }

  /// Returns text from a log, made safe.
  func safe(_ text: String) -> String {
    SafeText.make(text, ascii: glyphs.isASCII)
  }

  /// Returns the part of a text that fits on a line. Values may be many megabytes long.
  func safeBeginning(_ text: String) -> String {
    safe(String(String.UnicodeScalarView(text.unicodeScalars.prefix(min(width, .max / 8) * 4))))
  }

  /// Returns the sentence of a finding.
  func sentence(_ phrase: FindingMessage) -> String {
    phrase.text(
      text: { safe($0) }, duration: { duration($0) }, count: { CountText.make($0, $1) })
  }

  func cut(_ text: String, to width: Int) -> String {
    DisplayWidth.cut(text, to: width, ellipsis: glyphs.ellipsis)
  }

  func cutMiddle(_ text: String, to width: Int) -> String {
    DisplayWidth.cutMiddle(text, to: width, ellipsis: glyphs.ellipsis)
  }

  /// Returns pieces one after the other, on as many lines as they need. A piece too long for a line
  /// is cut.
  func flow(
    _ pieces: [Line], separator: String, first: Line = Line(), indent: Int = 0
  ) -> [Line] {
    var lines: [Line] = []
    var line = first
    var isFresh = true
    for piece in pieces {
      let gap = isFresh ? 0 : DisplayWidth.columns(of: separator)
      if !isFresh, line.columns + gap + piece.columns > width {
        lines.append(line)
        line = Line(DisplayWidth.spaces(indent))
        isFresh = true
      }
      if !isFresh { line.append(separator, .dim) }
      let room = max(1, width - line.columns)
      for span in piece.cut(to: room, ellipsis: glyphs.ellipsis).spans {
        line.append(span.text, span.style)
      }
      isFresh = false
    }
    if !isFresh { lines.append(line) }
    return lines
  }

  /// Returns a sentence, broken between words.
  func wrap(_ text: String, _ style: Style = .plain, indent: Int = 0) -> [Line] {
    flow(
      text.split(separator: " ").map { Line(String($0), style) }, separator: " ",
      first: Line(DisplayWidth.spaces(indent)), indent: indent
    )
  }
}
