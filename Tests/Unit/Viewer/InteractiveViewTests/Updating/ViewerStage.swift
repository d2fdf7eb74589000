import Foundation
import SystemLibrary
import TestSupport
import Testing
import ViewerTestSupport

@testable import InteractiveView
@testable import TerminalUI
@testable import TraceAnalysis
@testable import TraceFormat
@testable import ViewerConsole

/// A viewer with a log, which performs effects immediately instead of asynchronously.
struct ViewerStage {
  var viewer: Viewer
  /// The effects that don't read anything.
  private(set) var effects: [Effect] = []
  /// The texts of the source files below the current folder, by their names in the log.
  private let sources: [String: String]
  private var snapshot: LogSnapshot
  private let rules = RuleSettings()

  /// - Parameters:
  ///   - log: The lines of a log.
  ///   - keys: Keys to type first.
  init(
    _ log: String, columns: Int = 80, rows: Int = 24, ascii: Bool = false,
    panes: [any Pane] = Panes.all, sources: [String: String] = [:], saved: SavedView? = nil,
    savesView: Bool = false, typing keys: String = ""
  ) throws {
    self.sources = sources
    let (snapshot, viewed) = try Self.open(log)
    self.snapshot = snapshot
    viewer = Viewer(
      TerminalState(glyphs: ascii ? .ascii : .unicode), panes: panes, follows: false, replay: nil)
    viewer.remember(saved, savesView: savesView)
    send(.resized(columns: columns, rows: rows))
    show(viewed)
    type(keys)
  }

  var timeline: TimelineState { viewer.timeline }

  /// The logs that were opened before, because many tests open the same few logs.
  private static let opened = BlockingMutex<[String: (LogSnapshot, ViewedLog)]>([:])

  private static func open(_ log: String) throws -> (LogSnapshot, ViewedLog) {
    if let known = opened.withLock({ $0[log] }) { return known }
    let snapshot = try snapshot(log)
    let new = (snapshot, ViewedLog(snapshot, RuleSettings(), Arrangement()))
    opened.withLock { $0[log] = new }
    return new
  }

  /// Returns a snapshot of a whole log.
  static func snapshot(_ log: String) throws -> LogSnapshot {
    let file = LogSource(name: "test.jsonl", bytes: Array(log.utf8))
    let growing = GrowingLog([file], firstBatch: 4 << 20)
    var snapshot = LogSnapshot.empty
    while let next = try growing.advance() { snapshot = next }
    return snapshot
  }

  /// Returns a snapshot of a whole log that replaced another one while it was followed.
  static func snapshot(_ log: String, restarts: Int) throws -> LogSnapshot {
    let file = LogSource(name: "test.jsonl", bytes: Array(log.utf8))
    let (parts, tallies) = try ParallelReading(
      [file], parts: [.init(file: 0, range: 0..<file.size)]
    )
    .read(IndexedAccumulator(), addingTo: IndexedAccumulator(), [ReadingTally()])
    return LogSnapshot(
      parts, tallies, [file], bytesRead: file.size, bytesTotal: file.size, isComplete: nil,
      restarts: restarts)
  }

  /// Replaces the log with a longer version of it.
  mutating func grow(_ log: String, follows: Bool = true) throws {
    let revision = snapshot.revision + 1
    snapshot = try Self.snapshot(log, restarts: snapshot.restarts)
    snapshot.revision = revision
    show(viewer.feed.arrangement, follows: follows)
  }

  /// Replaces the followed log with another one.
  mutating func restart(_ log: String) throws {
    let revision = snapshot.revision + 1
    snapshot = try Self.snapshot(log, restarts: snapshot.restarts + 1)
    snapshot.revision = revision
    show(viewer.feed.arrangement, follows: true)
  }

  mutating func send(_ message: Message) {
    for effect in viewer.update(message) { perform(effect) }
  }

  /// Types keys. Names of keys are in angle brackets, such as `<Enter>` and `<C-c>`.
  mutating func type(_ keys: String) {
    for press in KeyScript.presses(keys) { send(.input(.key(press))) }
  }

  private mutating func show(_ arrangement: Arrangement, follows: Bool = false) {
    show(ViewedLog(snapshot, rules, arrangement), follows: follows)
  }

  private mutating func show(_ viewed: ViewedLog, follows: Bool = false) {
    let reading = ReadingState(
      bytesRead: snapshot.bytesRead, bytesTotal: snapshot.bytesTotal, isComplete: !follows,
      follows: follows)
    send(.arranged(viewed, reading))
  }

  /// The views that were saved before the end.
  var saved: [SavedView] {
    effects.compactMap { if case .save(let view) = $0 { view } else { nil } }
  }

  private mutating func perform(_ effect: Effect) {
    switch effect {
    case .arrange(let arrangement, let isFrozen):
      let latest = snapshot
      if isFrozen { snapshot = viewer.snapshot }
      show(arrangement, follows: viewer.feed.reading.follows)
      snapshot = latest
    case .read(let request): send(.read(EventLookup(viewer).page(request)))
    case .find(let request): send(.found(request, EventLookup(viewer).find(request)))
    case .search(let query): send(.searched(SearchWorker.result(query, in: viewer.viewed)))
    case .count(let filter):
      let count = viewer.viewed.judged.count(filter) { true }
      send(.counted(count ?? -1, of: filter))
    case .readHits(let request): send(.readHits(EventLookup(viewer).texts(request)))
    case .summarize(let range):
      send(
        .summarized(
          viewer.viewed.summaries(in: range), of: SummaryKey(viewer.viewed, range: range)))
    case .findGrowth(let range):
      let rows = viewer.viewed.growth(in: range)
      send(.grew(rows, of: SummaryKey(viewer.viewed, range: range)))
    case .locate(let files):
      let found = sources.keys.filter(files.contains).map { ($0, "/code/\($0)") }
      if !found.isEmpty { send(.located(Dictionary(uniqueKeysWithValues: found))) }
    case .readSource(let place, _):
      let text = sources[place.file] ?? ""
      send(.readSource(SourceLines(place, text: Array(text.utf8))))
    default: effects.append(effect)
    }
  }

  /// The lines of the screen.
  var screen: [String] {
    ScreenView(viewer: viewer).frame.lines.map { line in
      var text = line.text
      while text.last == " " { text.removeLast() }
      return text
    }
  }

  /// Returns the lines of the screen with the sequences of their styles.
  func styled(_ depth: ColorDepth) -> [String] {
    ScreenView(viewer: viewer).frame.lines.map { line in
      line.spans.reduce(into: "") { text, span in
        let sequence = span.style.sequence(depth)
        text += sequence + span.text + (sequence.isEmpty ? "" : Style.reset)
      }
    }
  }

  var footer: String {
    let screen = screen
    return screen.indices.contains(viewer.layout.footer) ? screen[viewer.layout.footer] : ""
  }
}

// Short descriptions for failed tests, because complete ones would be far too long.
extension ViewerStage: CustomTestStringConvertible {
  var testDescription: String { "\n" + screen.joined(separator: "\n") }
}

extension Viewer: CustomTestStringConvertible {
  var testDescription: String {
    "a viewer at \(timeline.cursor.count) ns, line \(timeline.list.selected)"
  }
}

/// A parser for keys in text form.
enum KeyScript {
  static func presses(_ text: String) -> [KeyPress] {
    var presses: [KeyPress] = []
    var rest = text[...]
    while let first = rest.first {
      if first == "<", let end = rest.firstIndex(of: ">"), end > rest.index(after: rest.startIndex),
        let press = named(String(rest[rest.index(after: rest.startIndex)..<end]))
      {
        presses.append(press)
        rest = rest[rest.index(after: end)...]
      } else {
        presses.append(KeyPress(first))
        rest = rest.dropFirst()
      }
    }
    return presses
  }

  private static func named(_ name: String) -> KeyPress? {
    let keys: [String: KeyPress.Key] = [
      "Enter": .enter, "Tab": .tab, "Esc": .escape, "BS": .backspace, "Del": .delete, "Up": .up,
      "Down": .down, "Left": .left, "Right": .right, "Home": .home, "End": .end,
      "PgUp": .pageUp, "PgDn": .pageDown, "Space": .character(" "), "F1": .function(1),
    ]
    if let key = keys[name] { return KeyPress(key) }
    if name.hasPrefix("S-"), let key = keys[String(name.dropFirst(2))] {
      return KeyPress(key, .shift)
    }
    if name.hasPrefix("C-"), name.count == 3, let character = name.last {
      return .control(character)
    }
    return nil
  }
}

/// Logs for tests of the viewer.
enum StageLogs {
  static let ms = 1_000_000

  /// Returns the log of a search field whose requests leak, as the sample program wrote it.
  static func search() throws -> String {
    try String(contentsOfFile: BundledLog.leak, encoding: .utf8)
  }

  /// A log in which each element of `query` makes a `request` for `results`. The query is #1, the
  /// results are #2, and the requests are #3 and #4.
  static let origins = SampleLog.make([
    SampleLog.subscribe(1, "query", at: 100 * ms),
    SampleLog.subscribe(2, "results", at: 150 * ms),
    SampleLog.next(1, "query", at: 300 * ms, "swift"),
    SampleLog.subscribe(3, "request", at: 300 * ms, line: 57, #","parent":2,"cause":1"#),
    SampleLog.end("failed", 3, "request", at: 400 * ms),
    SampleLog.next(1, "query", at: 500 * ms, "Swift 6"),
    SampleLog.subscribe(4, "request", at: 500 * ms, line: 57, #","parent":2,"cause":1"#),
    SampleLog.end("failed", 4, "request", at: 600 * ms),
    SampleLog.end("disposed", 2, "results", at: 900 * ms),
    SampleLog.end("disposed", 1, "query", at: 900 * ms),
  ])

  /// A log with a lane that has an element every 50 ms, and another one with 30 elements within
  /// 30 ms from 700 ms on.
  static let burst = SampleLog.make(
    [SampleLog.subscribe(1, "ticks", at: 0), SampleLog.subscribe(2, "burst", at: 100 * ms)]
      + (1..<20).map { SampleLog.next(1, "ticks", at: $0 * 50 * ms + ms, "\($0)") }
      + (0..<30).map { SampleLog.next(2, "burst", at: (710 + $0) * ms, "\($0)") }
      + [SampleLog.end("completed", 2, "burst", at: 800 * ms)])

  /// Returns the first lines of a log that is still being written, with an element every 10 ms.
  static func growing(_ count: Int, lane: String = "ticks") -> String {
    let lines =
      [SampleLog.header, SampleLog.subscribe(1, lane, at: 0)]
      + (1...max(1, count)).map { SampleLog.next(1, lane, at: $0 * 10 * ms, "\($0)") }
    return lines.map { $0 + "\n" }.joined()
  }

  /// Returns a log of similar lanes that don't all fit on a screen.
  static func lanes(_ count: Int) -> String {
    SampleLog.make(
      (1...count).map { SampleLog.subscribe($0, "lane\($0)", at: $0 * ms, line: $0) }
        + (1...count).map { SampleLog.end("completed", $0, "lane\($0)", at: 500 * ms + $0) })
  }
}
