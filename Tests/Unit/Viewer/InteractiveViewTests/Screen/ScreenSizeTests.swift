import TestSupport
import Testing

@testable import InteractiveView
@testable import TerminalUI

@Suite("Screens of all sizes")
struct ScreenSizeTests {
  private func number(of scene: Scene) -> Int {
    Scene.all.firstIndex { $0.name == scene.name } ?? 0
  }

  private func check(_ scene: Scene, _ size: Scene.Size) throws {
    let frame = ScreenView(viewer: try scene.stage(size).viewer).frame
    let name = "\(scene.name) in \(size.columns)x\(size.rows)"
    #expect(frame.lines.count <= size.rows, "\(name)")
    for line in frame.lines {
      #expect(line.columns <= size.columns, "\(name): \(line.text)")
      // The width of a line equals the sum of its parts.
      #expect(DisplayWidth.columns(of: line.text) == line.columns, "\(name): \(line.text)")
    }
    if let cursor = frame.cursor {
      #expect((0..<size.rows).contains(cursor.row), "\(name)")
      #expect((0..<size.columns).contains(cursor.column), "\(name)")
    }
    if size.columns < 20 || size.rows < 5 {
      #expect(frame.lines.count == 1)
    } else {
      #expect(frame.lines.count == size.rows, "\(name)")
    }
  }

  @Test("Screens resized to tiny terminals fit", arguments: Scene.all)
  func tiny(scene: Scene) throws {
    // This resizes one stage to all sizes. A resized screen equals one that was created with that
    // size.
    var stage = try scene.stage(.init(columns: 80, rows: 24))
    let isLong = TestLength.isLong
    var number = number(of: scene)
    for columns in isLong ? Array(1...30) : [1, 2, 3, 8, 19, 20, 21, 25, 30] {
      for rows in isLong ? Array(1...12) : [1, 2, 4, 5, 6, 9, 12] {
        // Each size is shown by some scenes.
        number += 1
        guard isLong || number % 4 == 0 else { continue }
        stage.send(.resized(columns: columns, rows: rows))
        let frame = ScreenView(viewer: stage.viewer).frame
        let isRight =
          frame.lines.count <= rows && frame.lines.allSatisfy { $0.columns <= columns }
          && frame.cursor.map { $0.row < rows && $0.column < columns } ?? true
        #expect(isRight, "\(scene.name) in \(columns)x\(rows)")
        #expect(frame.lines.count == (columns < 20 || rows < 5 ? 1 : rows))
      }
    }
  }

  @Test("Screens created in small terminals fit", arguments: Scene.all)
  func fresh(scene: Scene) throws {
    let sizes = [(1, 1), (3, 2), (19, 30), (20, 5), (21, 8), (30, 12), (25, 16)]
    let number = number(of: scene)
    for (index, (columns, rows)) in sizes.enumerated() {
      // Each size is shown in both sets of signs, by different scenes.
      for isASCII in TestLength.isLong ? [false, true] : [(index + number) % 2 == 0] {
        try check(scene, .init(columns: columns, rows: rows, isASCII: isASCII))
      }
    }
  }

  @Test("Screens created in huge terminals fit", arguments: Scene.all)
  func huge(scene: Scene) throws {
    let sizes = [
      Scene.Size(columns: 300, rows: 100), .init(columns: 1000, rows: 6),
      .init(columns: 300, rows: 100, isASCII: true), .init(columns: 20, rows: 400),
    ]
    for (index, size) in sizes.enumerated()
    where TestLength.isLong || (index + number(of: scene)) % 4 == 0 {
      try check(scene, size)
    }
  }

  @Test(
    "A terminal that is too small shows the required size",
    arguments: [(19, 5), (20, 4), (18, 1)])
  func tooSmall(columns: Int, rows: Int) throws {
    let stage = try Scene.all[0].stage(.init(columns: columns, rows: rows))
    let text = "needs 20x5, is \(columns)x\(rows)"
    #expect(stage.screen == [DisplayWidth.cut(text, to: columns, ellipsis: "…")])
  }

  @Test("A screen is restored when the terminal is enlarged again", arguments: Scene.all)
  func back(scene: Scene) throws {
    var stage = try scene.stage(.init(columns: 80, rows: 24))
    // A view that is scrolled to its end may move to avoid empty rows. Another test covers that.
    guard !scene.name.contains("end"), !scene.name.contains("events") else { return }
    // So may a timeline that is longer than its rows.
    let rows = stage.viewer.layout.timeline.count
    guard rows == 0 || stage.timeline.list.items.count <= rows else { return }
    let before = stage.screen
    stage.send(.resized(columns: 3, rows: 2))
    stage.send(.resized(columns: 80, rows: 24))
    #expect(stage.screen == before)
  }
}
