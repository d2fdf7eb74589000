import TestSupport
import Testing

@testable import InteractiveView
@testable import TerminalUI
@testable import TraceAnalysis
@testable import TraceWords
@testable import ViewerConsole

/// The view of two logs without a terminal.
struct ComparisonStage {
  var viewer: ComparisonViewer
  private(set) var effects: [Effect] = []

  init(_ diff: LogDiff, columns: Int = 80, rows: Int = 24, ascii: Bool = false) {
    viewer = ComparisonViewer(
      ComparedLogs(diff), TerminalState(glyphs: ascii ? .ascii : .unicode))
    viewer.resize(columns: columns, rows: rows)
  }

  /// - Parameters:
  ///   - old: The lines of a log.
  ///   - new: The lines of another log.
  init(
    _ old: String, _ new: String, columns: Int = 80, rows: Int = 24, ascii: Bool = false
  ) throws {
    self.init(
      try Self.diff(old, new), columns: columns, rows: rows, ascii: ascii)
  }

  static func diff(_ old: String, _ new: String) throws -> LogDiff {
    let sides = try [("before.jsonl", old), ("after.jsonl", new)].map { name, text in
      let log = try LogAnalysis.read(LogSource(name: name, bytes: Array(text.utf8)))
      return LogDiff.Side(name: name, log: log, verdict: Verdict(log))
    }
    return LogDiff(old: sides[0], new: sides[1]) { _ in true }
  }

  /// Types keys in the notation of `KeyScript`.
  mutating func type(_ keys: String) {
    for press in KeyScript.presses(keys) { effects += viewer.update(.key(press)) }
  }

  /// The lines of the screen.
  var screen: [String] {
    ComparisonScreen(viewer).frame.lines.map { line in
      var text = line.text
      while text.last == " " { text.removeLast() }
      return text
    }
  }

  var selectedName: String? { viewer.selected?.name }
  var footer: String { screen[viewer.layout.footer] }
}

extension ComparisonStage: CustomTestStringConvertible {
  var testDescription: String { "\n" + screen.joined(separator: "\n") }
}
