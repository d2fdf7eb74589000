import TestSupport
import Testing

@testable import TerminalUI
@testable import TraceAnalysis
@testable import TraceReports
@testable import TraceWords
@testable import ViewerConsole

/// Tests that compare the colors of states in reports with those in the view.
@Suite("Colors of states in reports")
struct StateColorTests {
  /// The hues of the colors of a terminal, in degrees.
  private static let hues: [Style.Color: Range<Double>] = [
    .red: 340..<375, .yellow: 25..<65, .green: 90..<165, .cyan: 165..<200, .blue: 205..<245,
    .magenta: 260..<330,
  ]

  private static let looks: [(name: String, style: Style)] =
    Lifecycle.State.allCases.map { ("\($0)", Glyphs.style($0)) } + [
      ("suspect", Glyphs.suspectStyle), ("mark", Glyphs.noteStyle),
    ]

  /// Returns the values of a color in the style sheet, which defines it several times.
  private static func page(_ name: String) -> [(red: Double, green: Double, blue: Double)] {
    HTMLPage.style.matches(of: /--([a-z]+): #([0-9a-f]{6});/).filter { $0.output.1 == name }.map {
      let value = Int($0.output.2, radix: 16) ?? 0
      return (Double(value >> 16), Double(value >> 8 & 255), Double(value & 255))
    }
  }

  @Test("Colors of states have the same hues as in the HTML report")
  func sameHues() throws {
    for (name, style) in Self.looks {
      let color = try #require(style.color, "\(name)")
      let hues = try #require(Self.hues[color])
      let colors = Self.page(name)
      #expect(colors.count == 3, "\(name)")
      for (red, green, blue) in colors {
        let (maximum, minimum) = (max(red, green, blue), min(red, green, blue))
        let range = maximum - minimum
        let sector =
          maximum == red
          ? (green - blue) / range
          : maximum == green ? 2 + (blue - red) / range : 4 + (red - green) / range
        var hue = sector * 60
        if hue < hues.lowerBound { hue += 360 }
        #expect(hues.contains(hue), "\(name) is \(color) and has a hue of \(hue)")
      }
    }
  }

  @Test("States have the same colors in a text report as in the interactive view")
  func text() throws {
    let states: [(event: String, color: String)] = [
      ("completed", "32"), ("failed", "31"), ("disposed", "36"), ("released", "35"),
    ]
    let lines = states.enumerated().flatMap { id, state in
      [
        SampleLog.subscribe(id + 1, state.event, at: 100_000_000),
        SampleLog.end(state.event, id + 1, state.event, at: 500_000_000),
      ]
    }
    let forever = SampleLog.subscribe(9, "active", at: 100_000_000, #","lifetime":"process""#)
    let text = SampleLog.make(lines + [forever])
    let log = try LogAnalysis.read(LogSource(name: "run.jsonl", bytes: Array(text.utf8)))
    let page = Page(width: 80, glyphs: .unicode)
    let rows = try LogReport(LogExcerpt(log), Verdict(log), page: page).lines(page)
      .map { $0.render(color: true, setsColumn: false) }
    for (name, color) in states + [("active", "34")] {
      let row = try #require(rows.first { $0.contains(name) && $0.contains("├") })
      #expect(row.contains("\u{1B}[\(color)m"), "\(name): \(row)")
    }
  }
}
