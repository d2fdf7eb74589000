import TestSupport
import Testing

@testable import InteractiveView
@testable import TerminalUI
@testable import TraceAnalysis
@testable import TraceFormat
@testable import ViewerConsole

@Suite("Recording what grows")
struct UpdateRecordingTests {
  private static let ms = StageLogs.ms

  /// Returns the lines of a log that is still being written.
  private static func live(_ lines: [String]) -> String {
    ([SampleLog.header] + lines).map { $0 + "\n" }.joined()
  }

  /// The records before the recording: one subscription that stays, and one that ends.
  private static let before = [
    SampleLog.subscribe(1, "app", at: 10 * ms, line: 3),
    SampleLog.subscribe(2, "row", at: 20 * ms, line: 8),
    SampleLog.end("disposed", 2, "row", at: 30 * ms),
  ]

  /// What a screen leaves behind: three rows at one observed place, and a badge.
  private static let screen = [
    SampleLog.subscribe(3, "badge", at: 100 * ms, line: 5),
    SampleLog.subscribe(4, "row", at: 110 * ms, line: 8, #","observed":"App/Row.swift:26""#),
    SampleLog.subscribe(5, "row", at: 120 * ms, line: 8, #","observed":"App/Row.swift:26""#),
    SampleLog.subscribe(6, "row", at: 130 * ms, line: 8, #","observed":"App/Row.swift:26""#),
    SampleLog.subscribe(7, "query", at: 140 * ms, line: 9),
    SampleLog.end("disposed", 7, "query", at: 150 * ms),
    SampleLog.subscribe(8, "settings", at: 160 * ms, line: 12, #","lifetime":"process""#),
  ]

  private func stage(columns: Int = 80) throws -> ViewerStage {
    var stage = try ViewerStage("", columns: columns)
    try stage.grow(Self.live(Self.before))
    return stage
  }

  /// Records what grows until the log has these records.
  private func record(_ lines: [String], in stage: inout ViewerStage) throws {
    stage.type("r")
    try stage.grow(Self.live(lines))
    stage.type("r")
  }

  private func pane(_ stage: ViewerStage) -> [String] {
    Array(stage.screen[stage.viewer.layout.pane])
  }

  @Test("Two presses of the key list the subscriptions that were left behind, most first")
  func live() throws {
    var stage = try stage()
    stage.type("r")
    #expect(stage.footer == "recording; do something in the program, then press r again")
    #expect(stage.screen[0].contains("recording 0 ns"))
    try stage.grow(Self.live(Self.before + Self.screen))
    #expect(stage.screen[0].contains("recording 130 ms"))
    stage.type("r")
    #expect(stage.viewer.recording == nil)
    #expect(
      pane(stage).prefix(4).map { $0 } == [
        "    GREW  ACTIVE AT END  LANE   PLACE",
        "       3              3  row    App/Row.swift:26",
        "       1              1  badge  App/Model.swift:5",
        "",
      ])
    #expect(stage.screen[stage.viewer.layout.tabs ?? 0].contains("7 Growth"))
  }

  @Test("What ends after the recording stays in the list but is no longer active")
  func later() throws {
    var stage = try stage()
    try record(Self.before + Self.screen, in: &stage)
    let ends = [4, 5].map { SampleLog.end("disposed", $0, "row", at: (200 + $0) * Self.ms) }
    let more = SampleLog.subscribe(9, "row", at: 300 * Self.ms, line: 8)
    try stage.grow(Self.live(Self.before + Self.screen + ends + [more]))
    #expect(pane(stage)[1] == "       3              1  row    App/Row.swift:26")
  }

  @Test("Enter goes to the first subscription of the line, and o opens its place")
  func opening() throws {
    var stage = try stage()
    stage.type("r")
    try stage.grow(Self.live(Self.before + Self.screen))
    stage.type("ro")
    #expect(stage.effects.last == .open(file: "App/Row.swift", line: 26))
    stage.type("y")
    #expect(stage.effects.last == .copy("3  row  App/Row.swift:26"))
    stage.type("j<Enter>")
    #expect(stage.timeline.chosenLifecycle?.id.number == 3)
    #expect(stage.viewer.focus == .timeline)
    stage.type("7<Enter>")
    #expect(stage.timeline.chosenLifecycle?.id.number == 3)
    stage.type("7k<Enter>")
    #expect(stage.timeline.chosenLifecycle?.id.number == 4)
    #expect(stage.timeline.cursor.count == UInt64(110 * Self.ms))
  }

  @Test("A recording after which everything has ended says that nothing grew")
  func nothing() throws {
    var stage = try stage()
    stage.type("r")
    let lines = [
      SampleLog.subscribe(3, "row", at: 100 * Self.ms, line: 8),
      SampleLog.end("disposed", 3, "row", at: 150 * Self.ms),
    ]
    try stage.grow(Self.live(Self.before + lines))
    stage.type("r")
    #expect(pane(stage).first == "nothing grew between the marks")
    stage.type("<Enter>jyo")
    #expect(stage.viewer.focus == .pane)
  }

  @Test("Without new records, the recording continues until Esc ends it")
  func noRecords() throws {
    var stage = try stage()
    stage.type("rr")
    #expect(stage.footer == "no new records yet; the recording continues, and Esc ends it")
    #expect(stage.viewer.recording != nil)
    stage.type("<Esc>")
    #expect(stage.viewer.recording == nil)
    #expect(stage.timeline.marks.times == [])
    #expect(stage.footer == "recording ended without a list")
  }

  @Test("The pane says that a recording is running")
  func running() throws {
    var stage = try stage()
    stage.type("7")
    #expect(pane(stage).first == "no two marks; r sets them and lists what grew in between")
    stage.type("r")
    #expect(pane(stage).first == "recording since 30 ms; r ends it and lists what grew")
  }

  @Test("A log that is replaced ends the recording")
  func restarted() throws {
    var stage = try stage()
    stage.type("r")
    try stage.restart(Self.live(Self.screen))
    #expect(stage.viewer.recording == nil)
    #expect(stage.footer == "the file now has another log; the recording has ended")
    stage.type("7")
    #expect(pane(stage).first == "no two marks; r sets them and lists what grew in between")
    stage.type("r")
    #expect(stage.viewer.recording != nil)
  }

  @Test("A log that is replaced after the recording clears the list")
  func restartedLater() throws {
    var stage = try stage()
    try record(Self.before + Self.screen, in: &stage)
    try stage.restart(Self.live(Self.before))
    #expect(pane(stage).first == "no two marks; r sets them and lists what grew in between")
  }

  @Test("Only what passes the filter is listed")
  func filtered() throws {
    var stage = try stage()
    stage.type("&lane:badge<Enter>r")
    try stage.grow(Self.live(Self.before + Self.screen))
    stage.type("r")
    #expect(pane(stage).prefix(3).last == "")
    #expect(pane(stage)[1] == "       1              1  badge  App/Model.swift:5")
    stage.type("&<C-u>lane:query<Enter>")
    #expect(pane(stage).first == "nothing grew between the marks in what the filter shows")
    stage.type("t")
    #expect(pane(stage)[1].hasSuffix("row    App/Row.swift:26"))
  }

  @Test("A frozen view neither begins nor ends a recording")
  func frozen() throws {
    var stage = try stage()
    stage.type(" r")
    #expect(stage.viewer.recording == nil)
    #expect(stage.footer == "the view is frozen; Space shows the growing log again")
    stage.type(" r ")
    try stage.grow(Self.live(Self.before + Self.screen))
    stage.type("r")
    #expect(stage.viewer.recording != nil)
    stage.type(" r")
    #expect(stage.viewer.recording == nil)
    #expect(pane(stage)[1].hasSuffix("row    App/Row.swift:26"))
  }

  @Test("A recording before the first record covers everything that follows")
  func early() throws {
    var stage = try ViewerStage("")
    try stage.grow("")
    try record(Self.before, in: &stage)
    #expect(pane(stage)[1] == "       1              1  app  App/Model.swift:3")
  }

  @Test("The process that ends during a recording doesn't end it")
  func ended() throws {
    var stage = try stage()
    stage.type("r")
    try stage.grow(SampleLog.make(Self.before + Self.screen))
    #expect(stage.viewer.recording != nil)
    stage.type("r")
    #expect(pane(stage)[1] == "       3              3  row    App/Row.swift:26")
    #expect(stage.timeline.marks.between?.end == stage.viewer.log.duration)
  }

  @Test("In a finished log, the key sets two marks and lists what grew between them")
  func finished() throws {
    var stage = try ViewerStage(SampleLog.make(Self.before + Self.screen), typing: ":50ms<Enter>r")
    #expect(stage.viewer.recording == nil)
    #expect(stage.footer == "marked; r at another time lists what grew in between")
    stage.type(":115ms<Enter>r")
    #expect(pane(stage)[1] == "       1              1  badge  App/Model.swift:5")
    #expect(pane(stage)[2] == "       1              1  row    App/Row.swift:26")
    // Other marks, other numbers.
    stage.type(":1s<Enter>m")
    #expect(pane(stage)[1] == "       2              2  row  App/Row.swift:26")
    // Without marks, what grew in the whole log, such as `app` before the first mark.
    stage.type("<Esc><Esc>7")
    #expect(pane(stage).contains { $0.hasSuffix("  app    App/Model.swift:3") })
    let tabs = try #require(stage.viewer.layout.tabs)
    #expect(stage.screen[tabs].contains(" whol"))
    stage.type("m")
    #expect(pane(stage).first == "no two marks; r sets them and lists what grew in between")
  }

  @Test("Leaked objects, tasks and instances of the interval are listed, too")
  func objects() throws {
    func count(_ scope: Int, _ at: Int, _ cart: Int) -> String {
      #"{"t":\#(at * Self.ms),"event":"instances","scope":\#(scope),"members":"#
        + #"[{"name":"Shop.Cart","count":\#(cart),"bytes":99}]}"#
    }
    let lines = [
      count(1, 50, 2),
      SampleLog.subscribe(1, "load", at: 100 * Self.ms, line: 7)
        .replacing(#""op":"lane""#, with: #""op":"task""#),
      #"{"t":200000000,"event":"object","sub":9,"lane":"Cart","source":"Shop/Cart.swift:5","#
        + #""type":"Shop.Cart","count":1,"members":[{"name":"Cart","count":4,"bytes":128}]}"#,
      count(2, 300, 5),
    ]
    var stage = try ViewerStage(SampleLog.make(lines), rows: 30)
    stage.type(":60ms<Enter>m:400ms<Enter>m7")
    #expect(
      pane(stage).prefix(4).map { $0 } == [
        "    GREW  ACTIVE AT END  LANE                  PLACE",
        "       1              1  load, tasks           App/Model.swift:7",
        "       4              ·  Cart, leaked objects  Shop/Cart.swift:5",
        "       3              ·  Shop.Cart, instances",
      ])
    stage.type("G<Enter>")
    #expect(stage.footer == "the log doesn't say where the instances of Shop.Cart were made")
    stage.type("k<Enter>")
    #expect(stage.timeline.chosenLifecycle?.isObject == true)
  }

  @Test("The keys don't wait for the list, and a list for other marks is ignored")
  func background() throws {
    let log = SampleLog.make(
      (1...20_000).map { SampleLog.subscribe($0, "row\($0 % 50)", at: $0, line: $0 % 50) })
    var stage = try ViewerStage(log)
    var viewer = stage.viewer
    func press(_ key: KeyPress) -> [Effect] { viewer.update(.input(.key(key))) }
    _ = press(.init("m"))
    _ = press(.init("G"))
    let effects = press(.init("r"))
    let range = try #require(viewer.timeline.marks.between)
    #expect(effects == [.findGrowth(range)])
    stage.viewer = viewer
    #expect(pane(stage).first == "counting")
    #expect(press(.init("j")) == [])
    let old = SummaryKey(viewer.viewed, range: TimeRange(from: .zero, through: Nanoseconds(5)))
    _ = viewer.update(.grew([], of: old))
    stage.viewer = viewer
    #expect(pane(stage).first == "counting")
    _ = viewer.update(
      .grew(viewer.viewed.growth(in: range), of: SummaryKey(viewer.viewed, range: range)))
    stage.viewer = viewer
    #expect(pane(stage)[1].hasPrefix("     400            400  row1 "))
  }

  @Test("The list is readable in narrow terminals", arguments: [20, 30, 40, 60])
  func narrow(columns: Int) throws {
    var stage = try stage(columns: columns)
    try record(Self.before + Self.screen, in: &stage)
    #expect(pane(stage)[1].contains("3  "))
    #expect(pane(stage)[1].hasSuffix(":26"))
    #expect(stage.screen.allSatisfy { DisplayWidth.columns(of: $0) <= columns })
  }
}
