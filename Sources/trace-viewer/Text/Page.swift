import TerminalUI
import TraceAnalysis

/// What every view of a report needs to know: how wide it may be, and which signs it may use.
struct Page: Sendable {
  let width: Int
  let glyphs: Glyphs

  var duration: DurationText {
    DurationText(isASCII: glyphs.isASCII)
  }

  /// The same without an edge, for what is not laid out in columns.
  var unbounded: Page {
    Page(width: .max / 2, glyphs: glyphs)
  }

  /// So many columns, or fewer where there are not many.
  func indent(_ columns: Int) -> Int {
    min(columns, width / 8)
  }

  /// Text from a log, made safe.
  func safe(_ text: String) -> String {
    SafeText.make(text, ascii: glyphs.isASCII)
  }

  /// As much of a text as a line can show: values may be many megabytes long.
  func safeBeginning(_ text: String) -> String {
    safe(String(String.UnicodeScalarView(text.unicodeScalars.prefix(min(width, .max / 8) * 4))))
  }

  /// The sentence of a finding.
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

  /// Pieces one after the other, on as many lines as they need; a piece too long for a line is cut.
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

  /// A sentence, broken between words.
  func wrap(_ text: String, _ style: Style = .plain, indent: Int = 0) -> [Line] {
    flow(
      text.split(separator: " ").map { Line(String($0), style) }, separator: " ",
      first: Line(DisplayWidth.spaces(indent)), indent: indent
    )
  }
}
