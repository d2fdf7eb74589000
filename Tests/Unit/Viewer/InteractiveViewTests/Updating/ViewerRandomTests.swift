import TestSupport
import Testing
import ViewerTestSupport

@testable import InteractiveView
@testable import TerminalUI
@testable import TraceAnalysis

/// Tests of invariants that must hold after any keys, pastes, mouse events and logs.
@Suite("Viewer with random messages")
struct ViewerRandomTests {
  private static let messages = TestLength.isLong ? 2000 : 120

  @Test(
    "With random messages, the viewer stays consistent and draws only what fits",
    arguments: 0..<12)
  func random(seed: Int) throws {
    var random = FixedNumbers(seed: UInt64(seed) + 1)
    var logs = [
      try StageLogs.search(), SampleLog.leak, StageLogs.origins, HostileLog.text,
      StageLogs.lanes(40), SampleLog.header + "\n", CauseLogs.leak, CauseLogs.hostile,
      CauseLogs.long(70, breaking: 50),
    ]
    logs.append(SampleLog.leak + SampleLog.ofAnother(SampleLog.clean, process: 7, secondsLater: 2))
    let log = logs[seed % logs.count]
    var stage = try ViewerStage(log, ascii: seed % 2 == 1)
    var history: [String] = []
    var isGrowing = false
    var length = 0
    for number in 0..<Self.messages {
      let message: RandomMessage
      switch Int.random(in: 0..<400, using: &random) {
      case 0:
        // The growing log is a different one, so reading restarts.
        length = isGrowing ? length + Int.random(in: 1...20, using: &random) : 3
        message =
          isGrowing ? .grown(StageLogs.growing(length)) : .restarted(StageLogs.growing(length))
        isGrowing = true
      case 1:
        isGrowing = false
        message = .restarted(logs.randomElement(using: &random) ?? log)
      default: message = .told(.random(stage.viewer, &random))
      }
      history.append("\(message)")
      switch message {
      case .grown(let log): try stage.grow(log)
      case .restarted(let log): try stage.restart(log)
      case .told(let message): stage.send(message)
      }
      let problems = problems(of: stage, draws: number % 4 == 0)
      guard problems.isEmpty else {
        Issue.record("\(problems) after \(history.suffix(12).joined(separator: ", "))")
        return
      }
    }
  }

  private enum RandomMessage: CustomStringConvertible {
    case grown(String)
    case restarted(String)
    case told(Message)

    var description: String {
      switch self {
      case .grown: "grown"
      case .restarted: "restarted"
      case .told(.input(.key(let press))): KeyName.of(press, isASCII: true)
      case .told(.input(.paste(let text))): "paste \(text.prefix(9).debugDescription)"
      case .told(.input(.mouse(let press))): "\(press.kind) \(press.column),\(press.row)"
      case .told(.resized(let columns, let rows)): "\(columns)x\(rows)"
      case .told(.ticked(let time)): "tick \(time)"
      case .told: "other"
      }
    }
  }

  /// Returns the violated invariants.
  private func problems(of stage: ViewerStage, draws: Bool) -> [String] {
    let viewer = stage.viewer
    var problems: [String] = []
    func check(_ holds: Bool, _ sentence: String) {
      if !holds { problems.append(sentence) }
    }
    check(
      viewer.timeline.list.selected == 0
        || viewer.timeline.list.items.indices.contains(viewer.timeline.list.selected),
      "item \(viewer.timeline.list.selected)")
    check(
      viewer.timeline.list.first >= 0
        && viewer.timeline.list.first <= viewer.timeline.list.selected,
      "first item \(viewer.timeline.list.first)")
    check(viewer.timeline.window.duration >= 1, "no window")
    check(
      viewer.timeline.cursor <= max(viewer.log.duration, viewer.timeline.window.end),
      "cursor \(viewer.timeline.cursor)")
    if let chosen = viewer.timeline.chosen {
      check(viewer.log.lifecycles.indices.contains(chosen), "chosen \(chosen)")
    }
    // Other lists are updated only when they are shown.
    check(
      viewer.panes.currentID != .subscriptions || viewer.layout.pane.isEmpty
        || viewer.panes[SubscriptionsPane.self].members.allSatisfy(
          viewer.log.lifecycles.indices.contains),
      "members \(viewer.panes[SubscriptionsPane.self].members) of \(viewer.log.lifecycles.count)")
    if let prompt = viewer.prompt {
      check((0...prompt.text.count).contains(prompt.cursor), "prompt \(prompt.cursor)")
    }
    guard problems.isEmpty, draws else { return problems }
    let frame = ScreenView(viewer: viewer).frame
    check(
      frame.lines.count <= viewer.terminal.rows,
      "\(frame.lines.count) lines in \(viewer.terminal.rows) rows")
    for (row, line) in frame.lines.enumerated() {
      check(
        line.columns <= viewer.terminal.columns,
        "row \(row) has \(line.columns) of \(viewer.terminal.columns) columns")
      let isClean = line.text.unicodeScalars.allSatisfy {
        $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value)
      }
      check(isClean, "row \(row) has a control character")
    }
    if let cursor = frame.cursor {
      check(
        cursor.row < viewer.terminal.rows && cursor.column < viewer.terminal.columns
          && cursor.column >= 0,
        "the text cursor is at \(cursor)")
    }
    return problems
  }
}

extension Message {
  private static let typed = [
    "request", "a", "lane:search.*", "state:active", "value:s", "thread:main", "dur>1s",
    "elements>1",
    "state:busy", "lane:nothing", "#2", "0.2s", "zoom", "sta", "x.csv", "日本語 👩‍👩‍👧‍👦", "e\u{301}",
    "\u{301}", "\"", "q",
  ]
  private static let pasted = [
    "jjq\n", "\u{1B}[2J\u{3}", "lane:a.*", "\u{202E}abc", "日本\t語", "\r\n", "\u{9B}31m", "",
    String(repeating: "long ", count: 300),
  ]

  fileprivate static func random(_ viewer: Viewer, _ random: inout FixedNumbers) -> Message {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<60:
      let keys = KeyTable.bindings.flatMap(\.keys)
      return .input(.key(keys.randomElement(using: &random) ?? KeyPress(.enter)))
    case 60..<72: return .input(.key(prompted(viewer, &random)))
    case 72..<84: return .input(.mouse(mouse(viewer, &random)))
    case 84..<88:
      return .input(.paste(pasted.randomElement(using: &random) ?? ""))
    case 88..<93:
      if Bool.random(using: &random) { return .resized(columns: 80, rows: 24) }
      return .resized(
        columns: Int.random(in: 1...(Bool.random(using: &random) ? 400 : 40), using: &random),
        rows: Int.random(in: 1...(Bool.random(using: &random) ? 120 : 12), using: &random))
    default: return .ticked(UInt64.random(in: 0...9_000_000_000, using: &random))
    }
  }

  /// Returns a letter of some text for a prompt, or a key that edits or ends the prompt.
  private static func prompted(_ viewer: Viewer, _ random: inout FixedNumbers) -> KeyPress {
    if let prompt = viewer.prompt, Int.random(in: 0..<4, using: &random) > 0 {
      let text = typed.first { $0.hasPrefix(prompt.text) && $0 != prompt.text }
      let rest = (text ?? typed.randomElement(using: &random) ?? "a").dropFirst(
        text == nil ? 0 : prompt.text.count)
      if let character = rest.first { return KeyPress(character) }
    }
    let others: [KeyPress] = [
      KeyPress(.enter), KeyPress(.left), KeyPress(.delete), KeyPress(.home), .control("w"),
      .control("k"), .control("u"), .control("a"), KeyPress(.function(9)), KeyPress("é", .alt),
      KeyPress("W"), KeyPress("\u{301}"), KeyPress(.insert), KeyPress("/"), KeyPress("&"),
      KeyPress(":"), KeyPress(.tab), KeyPress(.tab, .shift), KeyPress(.up), KeyPress(.down),
    ]
    return others.randomElement(using: &random) ?? KeyPress(.enter)
  }

  private static func mouse(_ viewer: Viewer, _ random: inout FixedNumbers) -> MousePress {
    let kinds: [MousePress.Kind] = [
      .press(button: 0), .press(button: 0), .drag(button: 0), .drag(button: 0), .release(button: 0),
      .wheelUp, .wheelDown, .press(button: 2), .release(button: 1),
    ]
    return MousePress(
      kind: kinds.randomElement(using: &random) ?? .wheelUp,
      column: Int.random(in: 0...viewer.terminal.columns + 2, using: &random),
      row: Int.random(in: 0...viewer.terminal.rows + 2, using: &random))
  }
}
