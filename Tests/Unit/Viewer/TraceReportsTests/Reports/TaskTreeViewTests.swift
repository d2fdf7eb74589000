import TestSupport
import Testing
import ViewerTestSupport

@testable import TerminalUI
@testable import TraceAnalysis
@testable import TraceReports
@testable import ViewerConsole

@Suite("Tasks in a report")
struct TaskTreeViewTests {
  private func report(
    _ text: String, width: Int = 80, glyphs: Glyphs = .unicode, limit: Int? = nil
  ) throws -> [String] {
    let log = try LogAnalysis.read(LogSource(name: "run.jsonl", bytes: Array(text.utf8)))
    let page = Page(width: width, glyphs: glyphs)
    let options = ReportOptions(limit: limit)
    return try LogReport(LogExcerpt(log), Verdict(log), options, page: page).lines(page)
      .map { $0.render(color: false, setsColumn: false) }
  }

  private func tasks(_ lines: [String]) -> [String] {
    Array(lines.drop { !$0.hasPrefix("TASKS") }.prefix { !$0.isEmpty })
  }

  @Test("A task that waits for a lane has the lane below it")
  func lane() throws {
    let log = SampleLog.make([
      TaskLogs.begin(1, "reader", at: 10),
      SampleLog.subscribe(2, "orders", at: 50_000_000, #","observed":"Shop/Shop.swift:12""#),
      TaskLogs.suspended(1, "reader", at: 100, "continuation", line: 12),
    ])
    #expect(tasks(try report(log)).last == "    #2 orders")
  }

  @Test("The timeline shows when a task runs and what it waits for")
  func timeline() throws {
    let lines = try report(TaskLogs.shop)
    let lane = { (name: String) in lines.first { $0.contains(name) } ?? "" }
    #expect(lane(" bill").contains("━┄┄┄"))
    #expect(lane(" pack").contains("┄┄░░"))
    #expect(lane(" order").hasSuffix("══════▶"))
    #expect(lane("cache.a").hasSuffix("──────▶"))
    #expect(lane("ticker").contains("▅▅▅"))
    let legend = lines.joined(separator: " ")
    for words in [
      "━ a task runs", "▁▇ runs now and then", "┄ waits for a continuation", "─ waits for a task",
      "═ waits for a group", "░ waits for its turn",
    ] { #expect(legend.contains(words)) }
  }

  @Test("A report has the tree of the tasks that haven't ended")
  func tree() throws {
    #expect(
      tasks(try report(TaskLogs.shop)) == [
        "TASKS  7 that haven't ended",
        "  #1 server waits for a child of its group at Shop.swift:12 for 940 ms",
        "    #2 order waits for a child of its group at Shop.swift:22 for 900 ms",
        "      #3 pack waits for #5 stock at Shop.swift:33 for 550 ms",
        "        #5 stock waits for a continuation at Shop.swift:55 for 650 ms",
        "  #20 ticker runs",
        "  #6 cache.a waits for #7 cache.b at Shop.swift:61 for 700 ms",
        "    #7 cache.b waits for #6 cache.a at Shop.swift:71 for 690 ms",
        "      #6 cache.a waits for #7 cache.b (closes the circle)",
      ])
  }

  @Test("Records at the end of an older log are enough for the tree")
  func older() throws {
    func record(_ id: Int, _ more: String) -> String {
      #"{"t":9,"event":"task","sub":\#(id),"lane":"t","source":"A.swift:\#(id)","task":\#(id),"#
        + "\(more)}"
    }
    let lines = try report(
      SampleLog.make([
        record(1, #""state":"waiting","wait":"task","awaits":[{"sub":2}]"#),
        record(
          2,
          #""state":"waiting","wait":"continuation","pause":"stream","reach":"itself","#
            + #""canceled":4,"calls":[{"name":"next()","at":"S/B.swift:5"},"#
            + #"{"name":"run()","at":"S/B.swift:9"}]"#
        ),
        record(3, #""state":"waiting","wait":"continuation","calls":[{"at":"S/C.swift:1"}]"#),
        record(4, #""state":"waiting","wait":"continuation","calls":[{"at":"S/C.swift:1"}]"#),
        record(5, #""state":"suspended""#), record(6, #""state":"enqueued""#),
      ]))
    #expect(
      tasks(lines) == [
        "TASKS  6 that haven't ended",
        "  #1 t waits for #2 t",
        "    #2 t canceled, waits for the next element of a stream that only the task",
        "        itself has at B.swift:5",
        "        next() (S/B.swift:5)",
        "        run() (S/B.swift:9)",
        "  #3 t waits for a continuation at C.swift:1",
        "      +1 task like it: #4",
        "  #5 t is suspended",
        "  #6 t waits for a thread",
      ])
  }

  @Test("A finding about a task has where the task was made, and no elements")
  func finding() throws {
    let lines = try report(
      SampleLog.make([
        #"{"t":1,"event":"subscribe","sub":1,"lane":"observed.1","op":"task","observed":"call.1"}"#,
        #"{"t":2,"event":"suspended","sub":1,"lane":"observed.1","observed":"call.2","#
          + #""wait":"continuation"}"#,
        #"{"t":8,"event":"task","sub":1,"lane":"observed.1","task":3,"state":"waiting","#
          + #""wait":"continuation","reach":"lost","proof":"certain"}"#,
        #"{"t":9,"event":"place","lane":"observed.1","source":"A/B.swift:7"}"#,
        #"{"t":9,"event":"place","lane":"call.1","source":"A/C.swift:8"}"#,
        #"{"t":9,"event":"place","lane":"call.2","source":"A/D.swift:9"}"#,
      ]))
    #expect(
      tasks(lines).dropFirst().first
        == "  #1 A/B.swift:7 waits for a continuation that nothing can resume at D.swift:9")
    #expect(lines.contains("error[lost-continuation]  1kdckq  A/B.swift:7  made at C.swift:8"))
    #expect(lines.contains("      it begins at A/B.swift:7"))
    #expect(!lines.joined().contains("0 elements"))
  }

  @Test("Damaged waits are shown as far as they are known")
  func damaged() throws {
    #expect(
      tasks(try report(TaskLogs.damaged)) == [
        "TASKS  3 that haven't ended",
        "  #2 strange runs",
        "  #3 twice waits for #99 (not in the log), its own end, #1 late at Shop.swift:7",
        "      for 800 ms",
        "    #1 late runs",
      ])
  }

  @Test("A log whose tasks have ended or aren't described has no tree", arguments: [SampleLog.leak])
  func none(text: String) throws {
    #expect(tasks(try report(text)) == [])
    #expect(!(try report(text).joined().contains("waits")))
  }

  @Test("A limit shortens the tree, and names in a narrow page stay on their lines")
  func limits() throws {
    #expect(tasks(try report(TaskLogs.shop, limit: 2)).last == "+5 more tasks")
    for width in [20, 30, 50] {
      for line in try report(TaskLogs.shop, width: width, glyphs: .ascii) {
        #expect(DisplayWidth.columns(of: line) <= max(width, 30) || !line.hasPrefix(" "), "\(line)")
      }
    }
  }
}
