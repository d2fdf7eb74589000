import Foundation
import Testing

@testable import InteractiveView

/// Tests that compare the screens in documents with those of the program.
@Suite("Screens in documents")
struct DocumentedScreenTests {
  struct Screen: Sendable {
    let document: String
    /// The index of the screen among the document's `text` blocks.
    let block: Int
    let columns: Int
    let rows: Int
    let keys: String
  }

  static let guide = "Sources/ReactiveTrace/ReactiveTrace.docc/FindingALeak.md"

  static let screens = [
    Screen(document: "README.md", block: 0, columns: 100, rows: 24, keys: "!4"),
    Screen(document: guide, block: 0, columns: 90, rows: 18, keys: ""),
    Screen(document: guide, block: 1, columns: 90, rows: 32, keys: "!3"),
    Screen(document: guide, block: 2, columns: 90, rows: 18, keys: "j<Down>jjjww)))))))...."),
  ]

  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// True if `UPDATE_SCREENS=1` is set to write the screens into the documents.
  private static let updates = ProcessInfo.processInfo.environment["UPDATE_SCREENS"] != nil

  @Test("Screens in the documentation match the screens of the program")
  func shown() throws {
    for screen in Self.screens {
      var stage = try ViewerStage(
        Self.text("Samples/Logs/search-leak.jsonl"), columns: screen.columns, rows: screen.rows)
      stage.type(screen.keys)
      let text = try Self.text(screen.document)
      var parts = text.components(separatedBy: "```text\n")
      let place = screen.block + 1
      try #require(parts.indices.contains(place))
      let end = try #require(parts[place].range(of: "\n```"))
      let documented = parts[place][..<end.lowerBound].components(separatedBy: "\n")
      guard Self.updates else {
        // The line of tabs may lack a pane that was added after the document was written.
        let tabs = stage.viewer.layout.tabs
        let rows = { (lines: [String]) in lines.indices.filter { $0 != tabs }.map { lines[$0] } }
        #expect(
          rows(documented) == rows(stage.screen), "\(screen.document), block \(screen.block)")
        continue
      }
      parts[place] = stage.screen.joined(separator: "\n") + parts[place][end.lowerBound...]
      try parts.joined(separator: "```text\n")
        .write(to: Self.root.appending(path: screen.document), atomically: true, encoding: .utf8)
    }
  }
}
