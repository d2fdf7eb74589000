import Foundation
import ProcessMemory
import SwiftRuntime
import TerminalUI
import Testing
import ViewerConsole

@testable import ProcessInspection
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
    _ frames: [InspectedFrame], thread: Int32? = nil
  ) -> InspectedTask {
    InspectedTask(
      record: TaskRecord(
        address: UInt(number) * 256, number: number, name: name, status: TaskStatus(status | 21),
        wait: wait, parent: nil, code: []),
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
        thread: 4711, name: "app", activity: .events, frames: [frame("poll", nil, .system)]),
      InspectedThread(
        thread: 4713, name: "pool", activity: .lock(heldBy: 4711),
        frames: [frame("store(_:)", "Shop/Store.swift:20")], task: 3),
      InspectedThread(
        thread: 4714, name: "writer", activity: .write(to: "pipe:[12]"),
        frames: [frame(nil, nil)]),
    ],
    poolSize: 2)

  private func text(_ lines: [Line]) -> String { lines.map { $0.text + "\n" }.joined() }

  @Test("The text shows the cause, the user's tasks with their waits, and the user's threads")
  func short() {
    let page = Page(width: 92, glyphs: .ascii)
    #expect(
      text(InspectionView(Self.inspection, isFull: false).lines(page)) == """
        PROCESS 4711  ./app --port=80

        MOST PROBABLE CAUSE
          If the test adds() hangs, it does so because nobody has resumed the continuation in
          load(_:) (Shop/Store.swift:8).
          - adds() (ShopTests/T.swift:5)

        TASKS  4 tasks, 1 of libraries not shown (--full)
          task #7 '[Swift Testing] test adds() - running'  waits for task #9
              checkout() (Shop/Cart.swift:12)
              adds() (ShopTests/T.swift:5)
            task #9  canceled, waits for a continuation
                load(_:) (Shop/Store.swift:8)
          task #10 'work^[[31m'  runs on thread 4713
            thread 4713  waits for a lock that thread 4711 holds
              store(_:) (Shop/Store.swift:20)

        THREADS  3 threads, 2 not shown here (--full)
          thread 4714 'writer'  waits to write to pipe:[12]
              app+0x10

        """)
  }

  @Test("Tasks that only differ in their numbers and names share a row, unless all is shown")
  func equalTasks() {
    let tasks = (1...20).map { number in
      Self.task(
        number, number == 1 ? nil : "r\(number)",
        waitsFor: number < 20 ? .continuation(4) : .executor(4),
        [Self.frame("load(_:)", "Shop/Store.swift:8")])
    }
    let inspection = Inspection(
      process: Self.inspection.process, taskList: .found(isComplete: true), tasks: tasks,
      threads: [], poolSize: 2)
    let page = Page(width: 100, glyphs: .ascii)
    let lines = text(InspectionView(inspection, isFull: false).lines(page))
    #expect(
      lines.contains(
        """
          task #1  waits for a continuation
              load(_:) (Shop/Store.swift:8)
              +18 tasks like it: #2, #3, #4, #5, #6, #7, #8, #9, ...
          task #20 'r20'  waits for a thread
              load(_:) (Shop/Store.swift:8)

        """), "\(lines)")
    let full = text(InspectionView(inspection, isFull: true).lines(page))
    #expect(full.components(separatedBy: "load(_:)").count > 20)
  }

  @Test("Calls and threads that weren't read are mentioned where they are missing")
  func gaps() {
    let recursion = (0..<4).map { Self.frame("f\($0)()", "A.swift:1") }
    let thread = InspectedThread(
      thread: 4711, name: "app", activity: .running, frames: recursion,
      gap: CallGap(index: 2, count: 5000))
    let inspection = Inspection(
      process: Self.inspection.process, taskList: .noRuntime, tasks: [], threads: [thread],
      missingThreads: 3, poolSize: 2)
    let lines = text(
      InspectionView(inspection, isFull: false).lines(Page(width: 100, glyphs: .ascii)))
    #expect(
      lines.contains("f1() (A.swift:1)\n      5,000 more calls not read\n      f2()"), "\(lines)")
    #expect(lines.contains("1 thread, 3 not read"), "\(lines)")
    let json = InspectionJSON([inspection]).text
    #expect(json.contains("\"gap\": {\"index\": 2, \"count\": 5000}"), "\(json)")
    #expect(json.contains("\"missingThreads\": 3"))
  }

  @Test("Each thread of a chain of waits has its own sentence, which says what is known")
  func chain() {
    let threads = [
      InspectedThread(
        thread: 4711, name: "app", activity: .lock(heldBy: 4712),
        frames: [Self.frame("a()", "A.swift:1")]),
      InspectedThread(
        thread: 4712, name: "app", activity: .once, frames: [Self.frame("b()", "A.swift:2")]),
    ]
    func inspection(_ threads: [InspectedThread]) -> Inspection {
      Inspection(
        process: Self.inspection.process, taskList: .noRuntime, tasks: [], threads: threads,
        poolSize: 2)
    }
    let chain = inspection(threads)
    #expect(
      InspectionWords.sentence(chain.findings[0], in: chain, isHang: true)
        == "The process hangs because thread 4711 waits for a lock that thread 4712 holds in a() "
        + "(A.swift:1). Thread 4712 waits for another thread to initialize a variable in b() "
        + "(A.swift:2).")
    let stopped = inspection([
      InspectedThread(thread: 4711, name: "app", activity: .stopped, frames: [])
    ])
    #expect(
      InspectionWords.sentence(stopped.findings[0], in: stopped, isHang: false)
        == "A signal has stopped the process. The command 'kill -CONT 4711' continues it.")
  }

  @Test(
    "Repeated inspections say how long tasks were in the same place, and begin with the longest")
  func history() {
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
        ], threads: Self.inspection.threads, poolSize: 2)
    }
    var history = InspectionHistory()
    history.add(tasks(movingTo: "A.swift:1"), at: start)
    history.add(tasks(movingTo: "A.swift:2", hasMoved: true), at: start + 1_000_000_000)
    let last = tasks(movingTo: "A.swift:2")
    history.add(last, at: start + 3_000_000_000)
    #expect(last.tasks.map(history.time) == [2_000_000_000, 3_000_000_000, 2_000_000_000])
    #expect(last.threads.map(history.time) == [3_000_000_000, 3_000_000_000, 3_000_000_000])
    let page = Page(width: 100, glyphs: .ascii)
    let lines = text(InspectionView(last, isFull: false, history: history).lines(page))
    let titles = lines.split(separator: "\n").filter { $0.contains("task #") }
    #expect(titles.map { $0.dropFirst(7).prefix(2) } == ["#2", "#1", "#3"], "\(lines)")
    #expect(titles[0].hasSuffix("waits for a continuation  (in the same place for 3 s)"))
    #expect(lines.contains("waits to write to pipe:[12]  (in the same place for 3 s)"), "\(lines)")
  }

  @Test("The full text shows everything")
  func full() {
    let lines = text(
      InspectionView(Self.inspection, isFull: true).lines(Page(width: 100, glyphs: .ascii)))
    for part in [
      "task #1  waits for a child of its group", "next()", "thunk", "poll", "4711 'app'",
    ] {
      #expect(lines.contains(part), "\(part)")
    }
    #expect(!lines.contains("--full"))
  }

  @Test("No line is wider than the page", arguments: [20, 40, 80])
  func width(columns: Int) {
    let page = Page(width: columns, glyphs: .unicode)
    for line in InspectionView(Self.inspection, isFull: true).lines(page) {
      #expect(line.columns <= max(columns, 40), "\(line.text)")
    }
  }

  @Test("JSON contains the facts of tasks, threads and findings")
  func json() throws {
    let text = InspectionJSON([Self.inspection]).text
    let root = try #require(
      JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(root["format"] as? String == "trace-viewer-tasks")
    let process = try #require((root["processes"] as? [[String: Any]])?.first)
    #expect(process["process"] as? Int == 4711)
    #expect(process["tasksAreComplete"] as? Bool == true)
    let tasks = try #require(process["tasks"] as? [[String: Any]])
    #expect(tasks.map { $0["number"] as? Int } == [1, 7, 9, 10])
    #expect(tasks.map { $0["state"] as? String } == ["waiting", "waiting", "waiting", "running"])
    #expect(tasks[1]["waitsForTasks"] as? [Int] == [9])
    #expect(tasks[2]["canceled"] as? Bool == true)
    #expect(tasks[3]["thread"] as? Int == 4713)
    let frames = try #require(tasks[2]["frames"] as? [[String: Any]])
    #expect(frames[0]["path"] as? String == "/src/Shop/Store.swift:8")
    #expect(frames.map { $0["origin"] as? String } == ["user", "system"])
    let threads = try #require(process["threads"] as? [[String: Any]])
    #expect(threads[1]["task"] as? Int == 10)
    let findings = try #require(process["findings"] as? [[String: Any]])
    #expect(findings.map { $0["test"] as? String } == ["adds()"])
    #expect(findings[0]["proven"] as? Bool == false)
  }

  @Test(
    "An error names the process and says what to do",
    arguments: [
      (.noProcess, "No process has the number 7."),
      (.otherUser(1000), "Use 'sudo'"), (.restricted(scope: 1), "run -- COMMAND"),
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
    #expect(InspectionWords.doubt(.found(isComplete: true)) == nil)
    #expect(
      InspectionWords.doubt(.unknownLayout(version: 2))
        == "This version of Swift isn't known (layout 2), so the tasks aren't known.")
  }
}
