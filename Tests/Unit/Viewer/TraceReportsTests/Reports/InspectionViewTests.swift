import Foundation
import ProcessMemory
import SwiftRuntime
import TerminalUI
import Testing
import TraceFormat
import ViewerConsole

@testable import ProcessInspection
@testable import TaskInspection
@testable import TraceAnalysis
@testable import TraceReports

@Suite("Reports about inspections")
struct InspectionViewTests {
  private static func frame(
    _ function: String?, _ source: String? = nil, _ origin: InspectedFrame.Origin = .user
  ) -> InspectedFrame {
    InspectedFrame(
      function: function, source: source, path: source.map { "/src/\($0)" }, offset: "app+0x10",
      origin: origin)
  }

  private static func task(
    _ number: UInt64, _ name: String?, status: UInt = 0x4000, waitsFor wait: TaskRecord.Wait?,
    _ frames: [InspectedFrame], thread: Int32? = nil, code: [UInt] = []
  ) -> InspectedTask {
    InspectedTask(
      record: TaskRecord(
        address: UInt(number) * 256, number: number, name: name, status: TaskStatus(status | 21),
        wait: wait, parent: nil, code: code),
      frames: frames, thread: thread)
  }

  private static let inspection = Inspection(
    process: ProcessEntry(
      process: 4711, parent: 1, command: ["./app", "--port=80"], isZombie: false, start: 0),
    taskList: .found(isComplete: true),
    tasks: [
      task(1, nil, waitsFor: .group(8), [frame("next()", nil, .system)]),
      task(
        7, "[Swift Testing] test adds() - running", waitsFor: .task(9 * 256),
        [frame("checkout()", "Shop/Cart.swift:12"), frame("adds()", "ShopTests/T.swift:5")]),
      task(
        9, nil, status: 0x4100, waitsFor: .continuation(4),
        [frame("load(_:)", "Shop/Store.swift:8"), frame("thunk", nil, .system)]),
      task(10, "work\u{1B}[31m", status: 0x800, waitsFor: nil, [], thread: 4713),
    ],
    threads: [
      InspectedThread(
        thread: 4711, name: "app", activity: ThreadActivity(.events),
        frames: [frame("poll", nil, .system)]),
      InspectedThread(
        thread: 4713, name: "pool", activity: ThreadActivity(.lock, heldBy: 4711),
        frames: [frame("store(_:)", "Shop/Store.swift:20")], task: 3),
      InspectedThread(
        thread: 4714, name: "writer", activity: ThreadActivity(.write, on: "pipe:[12]"),
        frames: [frame(nil, nil)]),
    ],
    poolSize: 2)

  private func text(_ lines: [Line]) -> String { lines.map { $0.text + "\n" }.joined() }

  private func log(
    _ inspection: Inspection, _ history: InspectionHistory? = nil
  ) throws -> LogAnalysis {
    try LogAnalysis.read(
      LogSource(name: "tasks", bytes: InspectionLog(inspection, history: history).bytes))
  }

  private func lines(
    _ inspection: Inspection, isFull: Bool = false, _ history: InspectionHistory? = nil,
    _ page: Page = Page(width: 100, glyphs: .ascii)
  ) throws -> [Line] {
    try InspectionView.all(log(inspection, history), isFull: isFull).flatMap { $0.lines(page) }
  }

  @Test("The text shows the cause, the user's tasks with their waits, and the user's threads")
  func short() throws {
    #expect(
      text(try lines(Self.inspection, nil, Page(width: 92, glyphs: .ascii))) == """
        PROCESS 4711  ./app --port=80

        MOST PROBABLE CAUSE
          If the test adds() hangs, it does so because nobody has resumed the continuation in
          load(_:) (Shop/Store.swift:8).
          - adds() (ShopTests/T.swift:5)

        TASKS  4 tasks, 1 of libraries not shown (--full)
          task #7 '[Swift Testing] test adds() - running' waits for task #9
              checkout() (Shop/Cart.swift:12)
              adds() (ShopTests/T.swift:5)
            task #9 canceled, waits for a continuation
                load(_:) (Shop/Store.swift:8)
          task #10 'work^[[31m' runs on thread 4713
            thread 4713 waits for a lock that thread 4711 holds
              store(_:) (Shop/Store.swift:20)

        THREADS  3 threads, 2 not shown here (--full)
          thread 4714 'writer' waits to write to pipe:[12]
              app+0x10

        """)
  }

  @Test("Tasks that only differ in their numbers and names share a row, unless all is shown")
  func equalTasks() throws {
    let tasks = (1...20).map { number in
      Self.task(
        number, number == 1 ? nil : "r\(number)",
        waitsFor: number < 20 ? .continuation(4) : .executor(4),
        [Self.frame("load(_:)", "Shop/Store.swift:8")])
    }
    let inspection = Inspection(
      process: Self.inspection.process, taskList: .found(isComplete: true), tasks: tasks,
      threads: [], poolSize: 2)
    let lines = text(try lines(inspection))
    #expect(
      lines.contains(
        """
          task #1 waits for a continuation
              load(_:) (Shop/Store.swift:8)
              +18 tasks like it: #2, #3, #4, #5, #6, #7, #8, #9, ...
          task #20 'r20' waits for its turn
              load(_:) (Shop/Store.swift:8)

        """), "\(lines)")
    let full = text(try self.lines(inspection, isFull: true))
    #expect(full.components(separatedBy: "load(_:)").count > 20)
  }

  @Test("Tasks that only differ in their numbers share a record, whose text has their number")
  func sharedRecords() throws {
    let tasks = (1...5_000).map { number in
      Self.task(
        number, nil, waitsFor: .continuation(UInt(number)),
        [Self.frame(number == 7 ? "save(_:)" : "load(_:)", "Shop/Store.swift:8")],
        code: [number == 7 ? 0x20 : 0x10])
    }
    let inspection = Inspection(
      process: Self.inspection.process, taskList: .found(isComplete: true), tasks: tasks,
      threads: [], poolSize: 2)
    func text(isFull: Bool) throws -> String {
      let bytes = InspectionLog(inspection, isFull: isFull).bytes
      #expect(isFull == (bytes.count > 100_000), "\(bytes.count)")
      let log = try LogAnalysis.read(LogSource(name: "tasks", bytes: bytes))
      return self.text(
        InspectionView.all(log, isFull: false).flatMap {
          $0.lines(Page(width: 100, glyphs: .ascii))
        })
    }
    let lines = try text(isFull: false)
    #expect(lines.contains("TASKS  5,000 tasks\n") && lines.contains("+4,998 tasks like it\n"))
    #expect(lines.contains("save(_:)"), "\(lines)")
    #expect(try text(isFull: true).contains("+4,998 tasks like it: #2, #3, #4"))
  }

  @Test("A report has at most 60 lines, and says how much is missing, unless all is shown")
  func room() throws {
    let tasks = (1...300).map { number in
      Self.task(
        number, "[Swift Testing] test t\(number)() - running", waitsFor: .continuation(4),
        [Self.frame("load\(number)()", "Shop/Store.swift:\(number)")])
    }
    let threads = (1...100).map { number in
      InspectedThread(
        thread: 5000 + Int32(number), name: "app", activity: ThreadActivity(.semaphore),
        frames: [Self.frame("wait\(number)()", "Shop/Wait.swift:\(number)")])
    }
    let inspection = Inspection(
      process: Self.inspection.process, taskList: .found(isComplete: true), tasks: tasks,
      threads: threads, poolSize: 2)
    let lines = try lines(inspection)
    #expect((50...60).contains(lines.count), "\(lines.count)")
    for noun in ["cause", "task", "thread"] {
      let rest = lines.compactMap { $0.text.firstMatch(of: /^  \+(\d+) more (\w+)s \(--full\)$/) }
        .first { $0.output.2 == noun }
      #expect(Int(rest?.output.1 ?? "") ?? 0 > 50, "\(text(lines))")
    }
    let full = text(try self.lines(inspection, isFull: true))
    #expect(full.contains("wait100()") && full.contains("task #300 ") && !full.contains("--full"))
  }

  @Test("Tests that hang in one place for one cause are one cause with all their names")
  func sameCause() throws {
    let tasks = (1...14).map { number in
      Self.task(
        number, "[Swift Testing] test t\(number)() - running", waitsFor: .continuation(4),
        [Self.frame("load()", "Shop/Store.swift:8"), Self.frame("t\(number)()", "T.swift:1")])
    }
    let inspection = Inspection(
      process: Self.inspection.process, taskList: .found(isComplete: true), tasks: tasks,
      threads: [], poolSize: 2)
    let view = try #require(InspectionView.all(log(inspection), isFull: false, isHang: true).first)
    #expect(view.groups.map(\.tests) == [(1...14).map { "t\($0)()" }])
    let lines = text(view.lines(Page(width: 100, glyphs: .ascii)))
    #expect(lines.ranges(of: "CAUSE").count == 1)
    #expect(lines.contains("  The same is true of 13 other tests: t2(), t3(), "), "\(lines)")
    #expect(lines.contains("t9() and 5 more."), "\(lines)")
    let path = view.path(of: view.groups[0], Page(width: 100, glyphs: .ascii), room: 12)
    #expect(path.count <= 12 && text(path).contains("task #1 "), "\(text(path))")
  }

  @Test("Calls of libraries between those of the user are counted")
  func libraries() throws {
    let calls =
      [Self.frame("wait()", "App/A.swift:1")]
      + (1...9).map { Self.frame("next\($0)()", "Lib/L.swift:\($0)", .dependency) }
      + [Self.frame("main()", "App/A.swift:9"), Self.frame("run()", "Lib/R.swift:1", .dependency)]
    let thread = InspectedThread(
      thread: 4711, name: "app", activity: ThreadActivity(.semaphore), frames: calls)
    let inspection = Inspection(
      process: Self.inspection.process, taskList: .noRuntime, tasks: [], threads: [thread],
      poolSize: 2)
    let lines = text(try lines(inspection))
    #expect(
      lines.hasSuffix(
        """
              wait() (App/A.swift:1)
              next1() (Lib/L.swift:1)
              next2() (Lib/L.swift:2)
              +7 calls of libraries
              main() (App/A.swift:9)
              run() (Lib/R.swift:1)

        """), "\(lines)")
  }

  @Test("Calls and threads that weren't read are mentioned where they are missing")
  func gaps() throws {
    let recursion = (0..<4).map { Self.frame("f\($0)()", "A.swift:1") }
    let thread = InspectedThread(
      thread: 4711, name: "app", activity: ThreadActivity(.running), frames: recursion,
      gap: CallGap(index: 2, count: 5000))
    let inspection = Inspection(
      process: Self.inspection.process, taskList: .noRuntime, tasks: [], threads: [thread],
      missingThreads: 3, poolSize: 2)
    let lines = text(try lines(inspection))
    #expect(
      lines.contains("f1() (A.swift:1)\n      5,000 more calls not read\n      f2()"), "\(lines)")
    #expect(lines.contains("1 thread, 3 not read"), "\(lines)")
    let process = try #require(try log(inspection).logs.first?.inspection)
    #expect(process.missingThreads == 3)
    #expect(process.threads.first?.calls.map(\.missing) == [0, 0, 5000, 0, 0])
  }

  @Test("Each thread of a chain of waits has its own sentence, which says what is known")
  func chain() throws {
    let threads = [
      InspectedThread(
        thread: 4711, name: "app", activity: ThreadActivity(.lock, heldBy: 4712),
        frames: [Self.frame("a()", "A.swift:1")]),
      InspectedThread(
        thread: 4712, name: "app", activity: ThreadActivity(.once),
        frames: [Self.frame("b()", "A.swift:2")]),
    ]
    func inspection(_ threads: [InspectedThread]) -> Inspection {
      Inspection(
        process: Self.inspection.process, taskList: .noRuntime, tasks: [], threads: threads,
        poolSize: 2)
    }
    func sentence(_ inspection: Inspection, isHang: Bool) throws -> String? {
      try InspectionView.all(log(inspection), isFull: false, isHang: isHang).first?
        .groups.first?.sentence
    }
    #expect(
      try sentence(inspection(threads), isHang: true)
        == "The process hangs because thread 4711 waits for a lock that thread 4712 holds in a() "
        + "(A.swift:1). Thread 4712 waits for another thread to initialize a variable in b() "
        + "(A.swift:2).")
    let stopped = inspection([
      InspectedThread(thread: 4711, name: "app", activity: ThreadActivity(.stopped), frames: [])
    ])
    #expect(
      try sentence(stopped, isHang: false)
        == "A signal has stopped the process. The command 'kill -CONT 4711' continues it.")
  }

  @Test(
    "Repeated inspections say how long tasks were in the same place, and list the longest first")
  func history() throws {
    let start = 5_000_000_000
    func tasks(movingTo source: String, hasMoved: Bool = false) -> Inspection {
      var third = Self.task(
        3, "third", waitsFor: .continuation(1), [Self.frame("c()", "C.swift:1"), Self.frame("d()")])
      third.hasMoved = hasMoved
      let moving = InspectedFrame(
        function: "a()", source: source, path: nil, offset: source, origin: .user)
      return Inspection(
        process: Self.inspection.process, taskList: .found(isComplete: true),
        tasks: [
          Self.task(1, "first", waitsFor: .continuation(1), [moving]),
          Self.task(2, "second", waitsFor: .continuation(1), [Self.frame("b()", "B.swift:1")]),
          third,
        ], threads: Self.inspection.threads.filter { $0.task == nil }, poolSize: 2)
    }
    var history = InspectionHistory()
    history.add(tasks(movingTo: "A.swift:1"), at: start)
    history.add(tasks(movingTo: "A.swift:2", hasMoved: true), at: start + 1_000_000_000)
    let last = tasks(movingTo: "A.swift:2")
    history.add(last, at: start + 3_000_000_000)
    let lines = text(try lines(last, history))
    let titles = lines.split(separator: "\n").filter { $0.contains("task #") }
    // The first one is that of the cause.
    #expect(titles.map { $0.dropFirst(7).prefix(2) } == ["#1", "#2", "#3"], "\(lines)")
    #expect(titles[1].hasSuffix("waits for a continuation (in the same place for 3 s)"))
    #expect(lines.contains("waits to write to pipe:[12] (in the same place for 3 s)"), "\(lines)")
  }

  @Test("The full text shows everything")
  func full() throws {
    let lines = text(try lines(Self.inspection, isFull: true))
    for part in [
      "task #1 waits for a child of its group", "next()", "thunk", "poll", "4711 'app'",
    ] {
      #expect(lines.contains(part), "\(part)")
    }
    #expect(!lines.contains("--full"))
  }

  @Test("No line is wider than the page", arguments: [20, 40, 80])
  func width(columns: Int) throws {
    let page = Page(width: columns, glyphs: .unicode)
    for line in try lines(Self.inspection, isFull: true, nil, page) {
      #expect(line.columns <= max(columns, 40), "\(line.text)")
    }
  }

  @Test("A log has the facts about the process, its tasks, its threads and the cause")
  func facts() throws {
    let log = try #require(try log(Self.inspection).logs.first)
    let process = try #require(log.inspection)
    #expect(log.header?.pid == 4711 && log.header?.process == "app")
    #expect(process.command == ["./app", "--port=80"] && process.parent == 1)
    #expect(process.taskList == .complete && process.tracer == nil)
    #expect(log.tasks.keys.sorted() == [1, 7, 9, 10])
    #expect(log.tasks[7]?.awaited == [SubscriptionID(known: 9)])
    let waiting = try #require(log.tasks[9])
    #expect(waiting.state == .waiting && waiting.wait == .continuation && waiting.canceled == 0)
    #expect(waiting.calls.map(\.path) == ["/src/Shop/Store.swift:8", nil])
    #expect(waiting.calls.map(\.code) == ["app+0x10", "app+0x10"])
    #expect(waiting.calls.map(\.origin) == [.user, .system])
    #expect(log.tasks[10]?.thread == 4713 && log.tasks[10]?.state == .running)
    #expect(process.threads.map(\.thread) == [4711, 4713, 4714])
    #expect(process.threads[1].task == SubscriptionID(known: 10))
    #expect(process.threads[1].activity == ThreadActivity(.lock, heldBy: 4711))
    #expect(process.threads[2].activity == ThreadActivity(.write, on: "pipe:[12]"))
    let hang = try #require(process.hangs.first)
    #expect(hang.cause == .continuation && hang.pause == nil && !hang.isProven)
    #expect(hang.test == "adds()" && hang.tasks.map(\.number) == [7, 9])
    #expect(hang.places.map(\.source) == ["Shop/Store.swift:8", "ShopTests/T.swift:5"])
  }

  @Test("Tasks that wait for each other are a finding of a rule")
  func circle() throws {
    let inspection = Inspection(
      process: Self.inspection.process, taskList: .found(isComplete: true),
      tasks: [
        Self.task(1, nil, waitsFor: .task(2 * 256), [Self.frame("a()", "A.swift:1")]),
        Self.task(2, nil, waitsFor: .task(256), [Self.frame("b()", "B.swift:1")]),
      ], threads: [], poolSize: 2)
    let findings = Verdict(try log(inspection)).findings
    #expect(findings.map(\.rule) == ["task-deadlock"])
    #expect(Verdict(try log(Self.inspection)).findings.isEmpty)
  }

  @Test(
    "An error names the process and says what to do",
    arguments: [
      (.noProcess, "No process has the number 7."),
      (.otherUser(1000), "Use 'sudo'"), (.restricted(scope: 1), "run -- COMMAND"),
      (.restricted(scope: 2), "administrator"), (.restricted(scope: 3), "restart"),
      (.traced(by: 9, program: "gdb"), "process 9 (gdb)"),
      (.refused, "SYS_PTRACE"), (.otherArchitecture, "64-bit"),
    ] as [(InspectionFailure, String)])
  func failures(failure: InspectionFailure, part: String) {
    let sentence = InspectionWords.sentence(failure, process: 7)
    #expect(sentence.contains(part) && sentence.contains("7"))
  }

  @Test(
    "An error about a command that can't be traced says what to do",
    arguments: [
      (.traced(by: 9, program: "gdb"), "process 9 (gdb)"), (.restricted(scope: 2), "Use 'sudo'"),
      (.restricted(scope: 3), "restart"), (.refused, "--security-opt"),
      (nil, "--leaks requires: X."),
    ] as [(InspectionFailure?, String)])
  func untraceable(failure: InspectionFailure?, part: String) {
    let sentence = InspectionWords.sentence(untraceable: "make", failure, reason: "X")
    #expect(sentence.hasPrefix("make was not run, because") && sentence.contains(part))
  }

  @Test("Tasks that aren't known are reported")
  func doubts() {
    func doubt(_ list: InspectedProcess.TaskList, _ layout: UInt64? = nil) -> String? {
      InspectionWords.doubt(
        InspectedProcess(parent: 1, command: [], taskList: list, layout: layout))
    }
    #expect(doubt(.complete) == nil)
    #expect(
      doubt(.unread) == "Not all files could be read, so tasks and calls may be missing.")
    #expect(
      doubt(.unknownLayout, 2)
        == "This version of the Swift runtime isn't known: its tasks have the layout 2. So the "
        + "tasks aren't known.")
    #expect(
      doubt(.unknownLayout)
        == "This version of the Swift runtime isn't known: it doesn't describe the layout of its "
        + "tasks. So the tasks aren't known.")
  }
}
