import Testing

@testable import TraceAnalysis
@testable import TraceFormat
@testable import TraceWords
@testable import ViewerConsole

@Suite("Words about tasks")
struct TaskWordsTests {
  private static let lines = [
    #"{"t":1,"event":"subscribe","sub":1,"lane":"a\u001b[2J","op":"task"}"#,
    #"{"t":1,"event":"subscribe","sub":2,"lane":"b","op":"task"}"#,
    #"{"t":5,"event":"completed","sub":2,"lane":"b"}"#,
    #"{"t":1,"event":"subscribe","sub":3,"lane":"c","op":"task"}"#,
    #"{"t":4000000000,"event":"end","records":4,"lost":0}"#,
  ]

  private func words() throws -> TaskWords {
    let text =
      (["{\"t\":0,\"event\":\"trace\",\"version\":1}"] + Self.lines)
      .joined(separator: "\n") + "\n"
    let log = try LogAnalysis.read(LogSource(name: "a.jsonl", bytes: Array(text.utf8)))
    return TaskWords(log, Page(width: 100, glyphs: .unicode))
  }

  private func sentence(
    _ wait: UnfinishedTask.Wait?, _ change: (inout PresentWait) -> Void = { _ in }
  ) throws -> String {
    var present = PresentWait(.waits(wait))
    change(&present)
    return try words().sentence(present, of: 0)
  }

  @Test("A sentence has what a task waits for, where, and for how long")
  func sentences() throws {
    #expect(try words().sentence(PresentWait(.runs), of: 0) == "runs")
    #expect(try sentence(nil) == "is suspended")
    #expect(try sentence(.executor) == "waits for its turn")
    #expect(try sentence(.group) == "waits for a child of its group")
    #expect(try sentence(.task) == "waits for a task")
    #expect(try sentence(.continuation) == "waits for a continuation")
    #expect(
      try sentence(.continuation) {
        $0.source = "App/Sources/File.swift:12"
        $0.since = Nanoseconds(800_000_000)
      } == "waits for a continuation at File.swift:12 for 3.2 s")
    #expect(try sentence(.group, { $0.function = "f()" }).hasSuffix(" at f()"))
    #expect(
      try sentence(.continuation) {
        $0.isCanceled = true
        $0.pause = .sleep
      } == "canceled, sleeps")
    #expect(
      try sentence(.continuation, { $0.reach = .lost })
        == "waits for a continuation that nothing can resume")
  }

  @Test("The tasks that a task waits for have names, and those that are unknown too")
  func names() throws {
    func awaits(_ numbers: UInt64...) throws -> String {
      try sentence(.task) { $0.awaited = numbers.map { SubscriptionID(known: $0) } }
    }
    #expect(try awaits(3) == "waits for #3 c")
    #expect(try awaits(2) == "waits for #2 b (has ended)")
    #expect(try awaits(9) == "waits for #9 (not in the log)")
    #expect(try awaits(1) == "waits for its own end")
    #expect(
      try awaits(3, 3, 3, 3, 3) == "waits for #3 c, #3 c, #3 c and 2 others")
  }

  @Test("Names are safe to display")
  func safety() throws {
    #expect(try !words().name(0).contains("\u{1B}"))
    var present = PresentWait(.waits(.group))
    present.source = "A\u{1B}[2J.swift:1"
    present.name = "\u{202E}n"
    present.number = 3
    #expect(try !words().sentence(present, of: 0).contains("\u{1B}"))
    #expect(try words().identity(present)?.contains("\u{202E}") == false)
    #expect(try words().identity(present)?.hasPrefix("number 3 in its process  '") == true)
    #expect(try words().identity(PresentWait(.runs)) == nil)
  }
}
