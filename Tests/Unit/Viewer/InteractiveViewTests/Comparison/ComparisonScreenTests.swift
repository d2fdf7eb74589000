import TestSupport
import Testing

@testable import InteractiveView
@testable import TerminalUI
@testable import ViewerConsole

/// Tests that compare whole screens of comparisons with the files in `Screen/Screens`.
@Suite("Screens of comparisons")
struct ComparisonScreenTests {
  struct Scene: Sendable, CustomTestStringConvertible {
    let name: String
    let keys: String
    var logs: @Sendable () throws -> (old: String, new: String) = { try ComparisonLogs.search() }

    var testDescription: String { name }
  }

  static let sizes = [(60, 15), (80, 24), (120, 36), (200, 60)]

  private static let hostile = "\\u001b]0;x\\u0007\\u202e漢字漢字漢字漢字漢字漢字漢字漢字🇩🇪"

  static let scenes = [
    Scene(name: "start", keys: ""),
    Scene(name: "kinds", keys: "", logs: { ComparisonLogs.kinds }),
    Scene(name: "only differences", keys: "tG", logs: { ComparisonLogs.kinds }),
    Scene(name: "detail", keys: "<Enter>", logs: { ComparisonLogs.kinds }),
    Scene(name: "zoomed", keys: ")))wwj"),
    Scene(name: "searching", keys: "/key"),
    Scene(name: "help", keys: "?"),
    Scene(name: "reversed", keys: "") {
      (ComparisonLogs.kinds.new, ComparisonLogs.kinds.old)
    },
    Scene(name: "died", keys: "") { (SampleLog.clean, SampleLog.died) },
    Scene(name: "identical", keys: "tt") { (SampleLog.leak, SampleLog.leak) },
    Scene(name: "empty", keys: "") { (SampleLog.make([]), SampleLog.make([])) },
    Scene(name: "objects", keys: "") { (SampleLog.clean, SampleLog.objects) },
    Scene(name: "wide names", keys: "") {
      let line = SampleLog.subscribe(1, hostile, at: 5)
      return (SampleLog.make([]), SampleLog.make([line]))
    },
    Scene(name: "several places", keys: "") {
      let first = ComparisonLogs.life(1, "request", line: 5, from: 10, to: 500)
      let second = ComparisonLogs.life(2, "request", line: 50, from: 200, to: 700)
      let third = ComparisonLogs.life(3, "request", line: 70, from: 100, to: 300)
      return (SampleLog.make(first + second), SampleLog.make(first + second + third))
    },
  ]

  @Test("Screens of comparisons match the golden files", arguments: scenes)
  func golden(scene: Scene) throws {
    let (old, new) = try scene.logs()
    let logs = try ComparisonStage.logs(old, new)
    let shown = Self.sizes.map { columns, rows in
      var stage = ComparisonStage(logs, columns: columns, rows: rows)
      stage.type(scene.keys)
      return (["== \(columns)x\(rows)"] + stage.screen).map { $0 + "\n" }.joined()
    }.joined()
    let expected = try GoldenFile.expected("comparison, \(scene.name)", shown: shown)
    #expect(shown == expected, "\(scene.name):\n\(shown)")
  }

  @Test("Every screen has the size of the terminal, and safe text", arguments: scenes)
  func fits(scene: Scene) throws {
    let (old, new) = try scene.logs()
    let logs = try ComparisonStage.logs(old, new)
    var number = Self.scenes.firstIndex { $0.name == scene.name } ?? 0
    for columns in [20, 21, 30, 40, 59, 60, 80, 140, 300] {
      for rows in [5, 6, 7, 8, 9, 11, 12, 15, 16, 20, 24, 60] {
        for ascii in [false, true] {
          // Each size is shown in both sets of signs, by different scenes.
          number += 1
          guard TestLength.isLong || number % 5 == 0 else { continue }
          var stage = ComparisonStage(logs, columns: columns, rows: rows, ascii: ascii)
          stage.type(scene.keys)
          let lines = ComparisonScreen(viewer: stage.viewer).frame.lines
          #expect(lines.count == rows, "\(columns)x\(rows)\(stage.testDescription)")
          for line in lines {
            let isSafe = line.text.unicodeScalars.allSatisfy {
              $0.value >= 0x20 && $0.value != 0x202E && (!ascii || $0.value < 0x7F)
            }
            #expect(isSafe && line.columns <= columns, "\(columns)x\(rows): \(line.text)")
          }
        }
      }
    }
  }

  @Test("A terminal too small for the view gets its size")
  func tooSmall() throws {
    let stage = try ComparisonStage(SampleLog.clean, SampleLog.leak, columns: 19, rows: 4)
    #expect(stage.screen == ["needs 20x5, is 19x4"])
  }

  @Test("The line numbers of places are never cut", arguments: sizes)
  func places(columns: Int, rows: Int) throws {
    let lane = String(repeating: "long.name.", count: 9)
    let log = SampleLog.make([
      SampleLog.subscribe(1, lane, at: 5, line: 12_345, #","observed":"M/VeryLongName.swift:6789""#)
    ])
    var stage = try ComparisonStage(SampleLog.make([]), log, columns: columns, rows: rows)
    #expect(stage.screen.contains { $0.contains("Model.swift:12345") }, "\(stage.testDescription)")
    stage.type("<Enter>")
    #expect(
      stage.screen.contains { $0.contains("VeryLongName.swift:6789") }, "\(stage.testDescription)")
  }

  @Test("A screen without colors has the same text")
  func noColors() throws {
    let (old, new) = ComparisonLogs.kinds
    let stage = try ComparisonStage(old, new)
    for line in ComparisonScreen(viewer: stage.viewer).frame.lines {
      for span in line.spans {
        let codes = span.style.sequence(.none).dropFirst(2).dropLast().split(separator: ";")
        #expect(codes.allSatisfy { ["1", "2", "4", "7"].contains($0) })
      }
    }
    // Each kind of change has a sign of its own.
    #expect(
      Set(stage.viewer.logs.rows.map { ComparisonSigns.sign(of: $0.change, .ascii).text })
        == ["!", "v", "+", "-", "~", "="])
  }
}
