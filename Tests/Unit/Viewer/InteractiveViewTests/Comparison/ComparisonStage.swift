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

  init(_ logs: ComparedLogs, columns: Int = 80, rows: Int = 24, ascii: Bool = false) {
    viewer = ComparisonViewer(logs, TerminalState(glyphs: ascii ? .ascii : .unicode))
    viewer.resize(columns: columns, rows: rows)
  }

  /// - Parameters:
  ///   - old: The lines of a log.
  ///   - new: The lines of another log.
  init(
    _ old: String, _ new: String, columns: Int = 80, rows: Int = 24, ascii: Bool = false,
    typing keys: String = ""
  ) throws {
    self.init(try Self.logs(old, new), columns: columns, rows: rows, ascii: ascii)
    type(keys)
  }

  static func logs(_ old: String, _ new: String) throws -> ComparedLogs {
    let sides = try [("before.jsonl", old), ("after.jsonl", new)].map { name, text in
      let log = try LogAnalysis.read(LogSource(name: name, bytes: Array(text.utf8)))
      return LogDiff.Side(name: name, log: log, verdict: Verdict(log))
    }
    return ComparedLogs(LogDiff(old: sides[0], new: sides[1]) { _ in true })
  }

  /// Types keys in the notation of `KeyScript`.
  mutating func type(_ keys: String) {
    for press in KeyScript.presses(keys) {
      for effect in viewer.update(.key(press)) {
        switch effect {
        case .search(let query): viewer.take(viewer.logs.rows(selectedBy: query), of: query)
        case .stopSearch: break
        default: effects.append(effect)
        }
      }
    }
  }

  /// The lines of the screen.
  var screen: [String] {
    ComparisonScreen(viewer: viewer).frame.lines.map { line in
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

/// Pairs of logs for tests of comparisons.
enum ComparisonLogs {
  static let ms = 1_000_000

  /// The logs of the sample with a clean and with a leaking search screen.
  static func search() throws -> (old: String, new: String) {
    (
      try PackageFolder.text("Samples/Logs/search-clean.jsonl"),
      try PackageFolder.text("Samples/Logs/search-leak.jsonl")
    )
  }

  /// Returns lines for a subscription that completes.
  static func life(
    _ id: Int, _ lane: String, line: Int = 42, from start: Int, to end: Int
  ) -> [String] {
    [
      SampleLog.subscribe(id, lane, at: start * ms, line: line),
      SampleLog.end("completed", id, lane, at: end * ms),
    ]
  }

  /// A pair with a lane of each kind of change.
  static let kinds = (
    old: SampleLog.make(
      life(1, "same", from: 10, to: 500) + life(2, "gone", line: 7, from: 20, to: 300)
        + life(3, "changed", line: 9, from: 30, to: 400)
        + [
          SampleLog.subscribe(4, "fixed", at: 40 * ms, line: 11),
          SampleLog.subscribe(5, "leaks", at: 50 * ms, line: 13),
          SampleLog.subscribe(6, "fails", at: 60 * ms, line: 15),
          SampleLog.end("completed", 6, "fails", at: 90 * ms),
          SampleLog.subscribe(7, "still leaks", at: 70 * ms, line: 17),
        ] + [SampleLog.end("completed", 5, "leaks", at: 600 * ms)]),
    new: SampleLog.ofAnother(
      SampleLog.make(
        life(1, "same", from: 10, to: 500) + life(2, "new", line: 8, from: 20, to: 900)
          + life(3, "changed", line: 10, from: 30, to: 400)
          + life(8, "changed", line: 10, from: 500, to: 900)
          + life(4, "fixed", line: 11, from: 40, to: 100)
          + [
            SampleLog.subscribe(5, "leaks", at: 50 * ms, line: 13),
            SampleLog.subscribe(6, "fails", at: 60 * ms, line: 15),
            SampleLog.end("failed", 6, "fails", at: 90 * ms),
            SampleLog.subscribe(7, "still leaks", at: 70 * ms, line: 17),
          ], end: 2_000_000_000), process: 77, secondsLater: 5)
  )

  /// A pair with many lanes of equal subscriptions.
  static func lanes(_ count: Int) -> (old: String, new: String) {
    let lines = (1...count).flatMap { life($0, "lane\($0)", line: $0, from: $0 % 900, to: 950) }
    let more = life(count + 1, "lane\(count / 2)", line: count / 2, from: 1, to: 2)
    return (SampleLog.make(lines), SampleLog.make(lines + more))
  }
}
