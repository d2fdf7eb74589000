import Foundation
import TestSupport
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
    /// The log that is compared with the sample, if any.
    var old: String?

    /// Returns the lines of the screen, and the row that may differ from the document.
    func shown() throws -> (lines: [String], tabs: Int?) {
      let log = try PackageFolder.text("Samples/Logs/search-leak.jsonl")
      guard let old else {
        let stage = try ViewerStage(log, columns: columns, rows: rows, typing: keys)
        return (stage.screen, stage.viewer.layout.tabs)
      }
      var stage = try ComparisonStage(PackageFolder.text(old), log, columns: columns, rows: rows)
      stage.type(keys)
      return (stage.screen, nil)
    }
  }

  static let exploring = "Sources/ReactiveTrace/ReactiveTrace.docc/ExploringALog.md"
  static let guide = "Sources/ReactiveTrace/ReactiveTrace.docc/FindingALeak.md"

  static let screens = [
    Screen(document: exploring, block: 0, columns: 100, rows: 24, keys: "!4"),
    Screen(document: guide, block: 0, columns: 90, rows: 18, keys: ""),
    Screen(document: guide, block: 1, columns: 90, rows: 32, keys: "!3"),
    Screen(document: guide, block: 2, columns: 90, rows: 18, keys: "j<Down>jjjww)))))))...."),
    Screen(
      document: guide, block: 3, columns: 90, rows: 24, keys: "",
      old: "Samples/Logs/search-clean.jsonl"),
  ]

  /// True if `UPDATE_SCREENS=1` is set to write the screens into the documents.
  private static let updates = ProcessInfo.processInfo.environment["UPDATE_SCREENS"] != nil

  @Test("Screens in the documentation match the screens of the program")
  func shown() throws {
    for screen in Self.screens {
      let (shown, tabs) = try screen.shown()
      let text = try PackageFolder.text(screen.document)
      var parts = text.components(separatedBy: "```text\n")
      let place = screen.block + 1
      try #require(parts.indices.contains(place))
      let end = try #require(parts[place].range(of: "\n```"))
      let documented = parts[place][..<end.lowerBound].components(separatedBy: "\n")
      guard Self.updates else {
        // The line of tabs may lack a pane that was added after the document was written.
        let rows = { (lines: [String]) in lines.indices.filter { $0 != tabs }.map { lines[$0] } }
        #expect(rows(documented) == rows(shown), "\(screen.document), block \(screen.block)")
        continue
      }
      parts[place] = shown.joined(separator: "\n") + parts[place][end.lowerBound...]
      try parts.joined(separator: "```text\n")
        .write(
          to: PackageFolder.url.appending(path: screen.document), atomically: true, encoding: .utf8)
    }
  }

  @Test("The recording in the README ends with a screen of the program")
  func recorded() throws {
    let recording = try PackageFolder.text("Documentation/view.svg")
    let begin = try #require(recording.range(of: "<desc>"))
    let end = try #require(recording.range(of: "</desc>"))
    let recorded = recording[begin.upperBound..<end.lowerBound]
      .replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&amp;", with: "&")
      .components(separatedBy: "\n")
    let (shown, tabs) = try Screen(
      document: "Documentation/view.svg", block: 0, columns: 100, rows: 24, keys: "!3"
    ).shown()
    #expect(recorded.count == shown.count)
    for (row, pair) in zip(recorded, shown).enumerated() where row != tabs {
      #expect(pair.0 == pair.1, "Run Scripts/recording.")
    }
  }
}
