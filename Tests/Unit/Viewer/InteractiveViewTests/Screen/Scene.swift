import SystemLibrary
import TestSupport
import Testing
import ViewerTestSupport

@testable import InteractiveView

/// A state of the viewer, and the keys that lead to it.
struct Scene: Sendable, CustomTestStringConvertible {
  let name: String
  let log: @Sendable () throws -> String
  let arrive: @Sendable (inout ViewerStage) throws -> Void
  /// The sizes to test in addition to 80x24.
  let sizes: [Size]
  private var panes = Self.panes
  /// The stages that other tests of the scene have used.
  private let stages = BlockingMutex<[Size: ViewerStage]>([:])

  struct Size: Hashable, Sendable {
    let columns: Int
    let rows: Int
    var isASCII = false
  }

  /// The panes of all screens. They are fixed so that a new pane doesn't change the files.
  private static let panes: [any Pane] = [
    SubscriptionsPane(), EventsPane(), DetailPane(), FindingsPane(), SummaryPane(),
  ]

  static let large = Size(columns: 120, rows: 40, isASCII: true)
  static let small = Size(columns: 40, rows: 10)
  static let tall = Size(columns: 40, rows: 30)
  static let smallest = Size(columns: 20, rows: 5, isASCII: true)

  /// Typical windows of people who write code.
  static let windows = [(60, 15), (120, 36), (200, 60)].map { Size(columns: $0, rows: $1) }

  private static let everySize = [80, 120, 40, 20].flatMap { columns in
    [false, true].map { isASCII in
      Size(
        columns: columns, rows: [80: 24, 120: 40, 40: 10, 20: 5][columns] ?? 24, isASCII: isASCII)
    }
  }.filter { $0 != Size(columns: 80, rows: 24) }

  var testDescription: String { name }

  init(
    _ name: String, log: @escaping @Sendable () throws -> String = { try leak() },
    sizes: [Size] = [small], _ arrive: @escaping @Sendable (inout ViewerStage) throws -> Void
  ) {
    self.name = name
    self.log = log
    self.arrive = arrive
    self.sizes = sizes
  }

  init(
    _ name: String, _ keys: String, log: @escaping @Sendable () throws -> String = { try leak() },
    sizes: [Size] = [small]
  ) {
    self.init(name, log: log, sizes: sizes) { $0.type(keys) }
  }

  /// The scene with all panes, for panes that are newer than the files of other scenes.
  private var withAllPanes: Scene {
    var scene = self
    scene.panes = Panes.all
    return scene
  }

  func stage(_ size: Size) throws -> ViewerStage {
    if let known = stages.withLock({ $0[size] }) { return known }
    var stage = try ViewerStage(
      log(), columns: size.columns, rows: size.rows, ascii: size.isASCII, panes: panes)
    try arrive(&stage)
    stages.withLock { $0[size] = stage }
    return stage
  }

  /// Returns the log of the leaking sample.
  static func leak() throws -> String { try PackageFolder.text("Samples/Logs/search-leak.jsonl") }

  /// Returns the first lines of that log.
  static func leak(lines: Int) throws -> String {
    try leak().split(separator: "\n").prefix(lines).map { $0 + "\n" }.joined()
  }

  static let all = [
    Scene("start", "", sizes: everySize + windows),
    Scene("zoomed", "llllllllllwwww", sizes: [small, large, smallest] + windows),
    Scene("subscriptions", "jjj1j", sizes: [small, large] + windows),
    Scene("events", "jj2jjj", sizes: [small, large] + windows),
    Scene("all events of a range", "wwJjj", sizes: [small, large] + windows),
    Scene("detail", "jj3", sizes: [small, large] + windows),
    Scene("detail at its end", "jj3<End>", sizes: [small]),
    Scene("findings", "4<Right>", sizes: [small, large, smallest] + windows),
    Scene("mistakes", "4", log: { CauseLogs.leak }, sizes: [small, large, smallest]),
    Scene("mistakes, unfolded", "4zj", log: { CauseLogs.leak }, sizes: [small, large]),
    Scene("a cycle", "4<Enter>jjjj", log: { CauseLogs.leak }, sizes: [small, large, smallest]),
    Scene("a cycle and its tail", "!3", log: { CauseLogs.tail }, sizes: [tall, large]),
    Scene("held by a global", "4j<Enter>", log: { CauseLogs.leak }, sizes: [tall, large]),
    Scene("no holder found", "4G<Enter>", log: { CauseLogs.leak }, sizes: [tall]),
    Scene("a long cycle", "!3<PgDn><PgDn>", log: { CauseLogs.long(70, breaking: 20) }),
    Scene("hostile causes", "!3", log: { CauseLogs.hostile }, sizes: [large, smallest]),
    Scene("tasks", "", log: { TaskLogs.shop }, sizes: [small, large, smallest]),
    Scene("tasks, subscriptions", "jjj1", log: { TaskLogs.shop }, sizes: [large]),
    Scene("tasks, events", "jjj2", log: { TaskLogs.shop }),
    Scene("a task that waits", "jj3", log: { TaskLogs.shop }, sizes: [small, large, tall]),
    Scene("a circle of tasks", "jjjjjj3", log: { TaskLogs.shop }, sizes: [tall]),
    Scene("damaged waits", "jj3", log: { TaskLogs.damaged }, sizes: [small, large]),
    Scene("summary", "5", sizes: [small, large, smallest] + windows),
    Scene("search hit", "/signal<Enter>", sizes: [small, smallest] + windows),
    Scene("search without a hit", "/nowhere<Enter>"),
    Scene("filter with an error", "&stat:x<Enter>", sizes: [small, large]),
    Scene("filter about to be typed", "&", sizes: [small, smallest]),
    Scene("palette", ":", sizes: [small, large, smallest]),
    Scene("palette with matches", ":search", sizes: [small, smallest]),
    Scene("completion", "&s<Tab><Tab>"),
    Scene("filtered", "&lane:search.q*<Enter>"),
    Scene("filtered to nothing", "&lane:nowhere<Enter>"),
    Scene("help", "?", sizes: [small, large, smallest] + windows),
    Scene("help at its end", "?<End>", sizes: [small]),
    Scene("folded", "z", sizes: [small, large]),
    Scene("no subscriptions", "", log: { noSubscriptions }, sizes: [small, smallest]),
    Scene("events without subscriptions", "2", log: { noSubscriptions }),
    Scene("by state, sorted", "bbbbSS", sizes: [small, large]),
    Scene("wall clock", "Tllllll", sizes: [small, large]),
    Scene("wall clock, events", "T2", sizes: [small]),
    Scene("marks", ")m)))m", sizes: [small, large, smallest]),
    Scene("several logs", "3", log: { several }, sizes: [small, large]),
    Scene("runs that start at 0", "bbbbbb", log: { runs }, sizes: [small, large]),
    Scene("a task and its lane", "j3", log: { taskAndLane }, sizes: [small, large]),
    Scene("several logs, listed", "j1", log: { several }, sizes: [small]),
    Scene("damaged", "4", log: { SampleLog.died + "broken\n" }, sizes: [small, large]),
    Scene("ended badly", "", log: { SampleLog.died }, sizes: [small]),
    Scene("replay in the middle", sizes: [small, large, smallest]) { stage in
      stage.type(" >")
      for second in 0..<3 { stage.send(.ticked(UInt64(second) * 1_000_000_000)) }
    },
    Scene("waiting", log: { "" }, sizes: [small, smallest]) { try $0.grow("", follows: true) },
    Scene("live", log: { "" }, sizes: [small, smallest]) { stage in
      try stage.grow(leak(lines: 30))
      stage.type("G")
      try stage.grow(leak(lines: 60))
    },
    Scene("live, not at the end", log: { "" }) { stage in
      try stage.grow(leak(lines: 40))
      stage.type("ww")
      try stage.grow(leak(lines: 60))
    },
    Scene("frozen", log: { "" }, sizes: [small, smallest]) { stage in
      try stage.grow(leak(lines: 30))
      stage.type(" ")
      try stage.grow(leak(lines: 60))
    },
    Scene("growth", "lllllmGr", sizes: [small, large, smallest]).withAllPanes,
    Scene("growth, filtered to nothing", "&lane:nowhere<Enter>))mGmr").withAllPanes,
    Scene("recording", log: { "" }, sizes: [small, large, smallest]) { stage in
      try stage.grow(leak(lines: 30))
      stage.type("r")
      try stage.grow(leak(lines: 60))
      stage.type("jj")
    }.withAllPanes,
    Scene("recorded", log: { "" }, sizes: [small, large]) { stage in
      try stage.grow(leak(lines: 30))
      stage.type("r")
      try stage.grow(leak(lines: 60))
      stage.type("r")
    }.withAllPanes,
    Scene("reading", log: { try leak(lines: 30) }, sizes: [small, large, smallest]) { stage in
      stage.send(.progressed(ReadingState(bytesRead: 43, bytesTotal: 100)))
    },
  ]

  private static let noSubscriptions = SampleLog.make([
    #"{"t":100000000,"event":"mark","name":"begin"}"#,
    #"{"t":200000000,"event":"scope-begin","scope":1,"name":"checkout"}"#,
    #"{"t":800000000,"event":"scope-end","scope":1}"#,
  ])

  private static let runs = (0..<4).map { number in
    SampleLog.ofAnother(
      number == 2 ? SampleLog.leak : SampleLog.clean, process: 70 + number,
      secondsLater: 2 * number)
  }.joined()

  /// A task whose loop waits for a lane.
  private static let taskAndLane = SampleLog.make([
    TaskLogs.begin(1, "reader", at: 10, line: 5),
    SampleLog.subscribe(2, "orders", at: 50_000_000, #","observed":"Shop/Shop.swift:12""#),
    SampleLog.next(2, "orders", at: 300_000_000, "tea"),
    TaskLogs.suspended(1, "reader", at: 310, "continuation", line: 12),
  ])

  private static let several =
    SampleLog.leak + SampleLog.ofAnother(SampleLog.clean, process: 77, secondsLater: 1)
}
