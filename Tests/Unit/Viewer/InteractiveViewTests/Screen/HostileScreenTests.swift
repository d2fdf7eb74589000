import TestSupport
import Testing
import ViewerTestSupport

@testable import InteractiveView
@testable import TerminalUI
@testable import TraceAnalysis

@Suite("Screens of hostile text")
struct HostileScreenTests {
  private static let texts = HostileLog.texts

  static let log: String = {
    var lines = [
      #"""
      {"t":0,"event":"trace","version":1,"trace":"1","process":"\#(texts[0])\#(texts[1])語",\#
      "pid":1,"started":"2026-11-20T23:48:50Z"}
      """#
    ]
    for (number, text) in texts.enumerated() {
      let (id, time) = (number + 1, (number + 1) * 10)
      let rest = #""thread":\#(id)}"#
      lines += [
        #"{"t":\#(time),"event":"thread","thread":\#(id),"name":"\#(text)"}"#,
        #"{"t":\#(time),"event":"mark","name":"\#(text)"}"#,
        #"{"t":\#(time),"event":"scope-begin","scope":\#(id),"name":"\#(text)"}"#,
        #"""
        {"t":\#(time),"event":"subscribe","sub":\#(id),"lane":"\#(text)",\#
        "source":"\#(text)/\#(text).swift:1","function":"\#(text)","type":"\#(text)",\#
        "scope":\#(id),\#(rest)
        """#,
        #"""
        {"t":\#(time + 1),"event":"next","sub":\#(id),"lane":"\#(text)","value":"\#(text)",\#(rest)
        """#,
      ]
    }
    for (number, text) in texts.enumerated() where number % 2 == 0 {
      lines.append(
        #"""
        {"t":\#(200 + number),"event":"failed","sub":\#(number + 1),"lane":"\#(text)",\#
        "error":"\#(text)","thread":1}
        """#
      )
    }
    lines.append(#"{"t":300,"event":"end","records":\#(lines.count),"lost":0}"#)
    return lines.map { $0 + "\n" }.joined()
  }()

  private func problems(_ stage: ViewerStage, isASCII: Bool) -> [String] {
    let frame = ScreenView(viewer: stage.viewer).frame
    var problems: [String] = []
    if frame.lines.count != stage.viewer.terminal.rows {
      problems.append("\(frame.lines.count) lines")
    }
    for line in frame.lines {
      let isObeyed = HostileLog.isObeyed(line.text) || line.text.contains("\n")
      let hides = line.text.unicodeScalars.contains {
        // A zero-width character that doesn't combine would be invisible in the text.
        [0x200B, 0xFEFF, 0xAD, 0x7F].contains($0.value) || (0x80..<0xA0).contains($0.value)
      }
      if isObeyed || hides || line.columns > stage.viewer.terminal.columns
        || isASCII && !line.text.allSatisfy(\.isASCII)
      {
        problems.append(String(line.text.prefix(200)))
      }
    }
    return problems
  }

  static let keys = [
    "", "1", "2", "3", "4", "5", "z", "b2", "bb5", "bbb", "bbbb4", "T2", "!3", "y", "/b<Enter>",
    "SS1", "e3", "L4", "i", "n",
  ]

  @Test("Hostile text is displayed safely and never exceeds the screen width", arguments: keys)
  func safe(keys: String) throws {
    let number = Self.keys.firstIndex(of: keys) ?? 0
    let sizes = [(80, 24, false), (80, 24, true), (41, 17, false), (20, 5, false)]
    for (index, (columns, rows, ascii)) in sizes.enumerated()
    where TestLength.isLong || (index + number) % 2 == 0 {
      var stage = try ViewerStage(Self.log, columns: columns, rows: rows, ascii: ascii)
      stage.type(keys)
      for step in 0..<Self.texts.count {
        let found = problems(stage, isASCII: ascii)
        #expect(found.isEmpty, "\(keys), \(step) down, in \(columns)x\(rows): \(found)")
        stage.type("<Down>")
      }
    }
  }

  @Test(
    "All bars begin in the same column, regardless of the labels", arguments: [80, 81, 40, 120])
  func alignment(columns: Int) throws {
    var stage = try ViewerStage(Self.log, columns: columns, rows: 100)
    for keys in ["", "b", "b", "b", "T", "z", "z"] {
      stage.type(keys)
      let layout = stage.viewer.layout
      let edge = layout.labelWidth + ViewLayout.gap
      for (row, line) in TimelinePainter(stage.viewer, layout).lines.enumerated() {
        guard row < stage.timeline.list.items.count else { continue }
        #expect(line.columns == columns, "\(line.text)")
        // The edge must be between two characters, not inside a wide one.
        var column = 0
        var cells = ""
        for character in line.text {
          if column >= edge { cells.append(character) }
          column += DisplayWidth.columns(of: character)
          if column > edge, cells.isEmpty { Issue.record("The edge is in '\(character)'.") }
        }
        #expect(cells.count == layout.cells, "\(line.text)")
        #expect(cells.allSatisfy { "├─•●▓█✓✗■○▶!┊│ ▁▂▃▄▅▆▇".contains($0) }, "\(cells)")
      }
    }
  }

  @Test("The end sign of a lane is in the column of its time")
  func ends() throws {
    var stage = try ViewerStage(Self.log, columns: 120, rows: 100)
    let layout = stage.viewer.layout
    let scale = stage.timeline.window.scale(columns: layout.cells)
    stage.type("<End>")
    for (item, line) in zip(stage.timeline.list.items, TimelinePainter(stage.viewer, layout).lines)
    {
      guard let index = stage.timeline.members(of: item).first else { continue }
      let column = scale.column(of: stage.viewer.viewed.spans[index].last)
      let cell = Array(line.text.suffix(layout.cells))[column]
      #expect("✗!".contains(cell), "\(line.text)")
    }
  }

  /// Returns a log with one element.
  private static func long(_ value: String) -> String {
    """
    {"t":0,"event":"trace","version":1,"trace":"1"}
    {"t":1,"event":"subscribe","sub":1,"lane":"a"}
    {"t":2,"event":"next","sub":1,"lane":"a","value":"\(value)"}
    {"t":3,"event":"completed","sub":1,"lane":"a"}
    {"t":4,"event":"end","records":5,"lost":0}

    """
  }

  /// Returns all lines of the detail pane, read by scrolling page by page.
  private func scrolled(_ stage: inout ViewerStage) -> [String] {
    var all: [String] = []
    stage.type("<Home>")
    while true {
      let layout = stage.viewer.layout
      let before = stage.viewer.panes[DetailPane.self].first
      let lines = stage.viewer.panes[DetailPane.self].lines(stage.viewer).map(\.text)
      let first = max(0, min(before, DetailText(stage.viewer).lines.count - layout.pane.count))
      all = Array(all.prefix(first)) + lines
      stage.type("<PgDn>")
      if stage.viewer.panes[DetailPane.self].first == before { return all }
    }
  }

  private func shows(_ value: String, columns: Int, rows: Int) throws -> Bool {
    var stage = try ViewerStage(Self.long(value), columns: columns, rows: rows, typing: "..3")
    let width = min(12, columns / 4)
    let lines = scrolled(&stage)
    let start = try #require(lines.firstIndex { $0.hasPrefix("value") })
    return lines[start...].map { String($0.dropFirst(width)) }.joined().contains(value)
  }

  private static let value = (0..<14_286).map { String(1_000_000 + $0) }.joined()

  @Test("Scrolling shows a value of 100 KB completely")
  func longValue() throws {
    #expect(Self.value.utf8.count >= 100_000)
    #expect(try shows(Self.value, columns: 120, rows: 200))
  }

  @Test("Scrolling shows a value of 100 KB completely in short lines")
  func longValueInShortLines() throws {
    #expect(try shows(Self.value, columns: 40, rows: 200))
  }
}
