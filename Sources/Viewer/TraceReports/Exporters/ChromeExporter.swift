import TerminalUI
import TraceAnalysis
import TraceFormat
import TraceWords

/// The JSON of chrome://tracing, which many programs read. Lifetimes are asynchronous events
/// because they overlap. Each has an id that is unique in its process.
struct ChromeExporter: Exporter, ExportVisitor {
  private let selection: ExportSelection
  private let numbers: ProcessNumbers
  private let output: Output
  private var json = JSONWriter()
  private var isFirst = true
  private var hasBegun: [Bool]
  private var hasEnded: [Bool]

  init(_ selection: ExportSelection, _ output: Output) {
    self.selection = selection
    self.output = output
    numbers = ProcessNumbers(selection.log)
    hasBegun = Array(repeating: false, count: selection.log.lifecycles.count)
    hasEnded = hasBegun
  }

  mutating func export() throws(LogError) {
    output.write(#"{"displayTimeUnit":"ns","traceEvents":["#)
    for (number, log) in selection.log.logs.enumerated() { writeProcess(number, log) }
    for mark in selection.marks { writeMark(mark) }
    for index in selection.scopes { writeScope(selection.log.scopes[index]) }
    try selection.walk(&self)
    for index in hasBegun.indices where hasBegun[index] && !hasEnded[index] {
      writeWaits(index)
      writeFindings(index)
    }
    output.write("\n]}\n")
  }

  mutating func take(_ record: ExportRecord) {
    guard let index = record.index, output.failure == nil else { return }
    // No later record will report the beginning.
    if !hasBegun[index], !selection.log.lifecycles[index].hasBeginning {
      writeBeginning(index, thread: nil)
    }
    switch record.body {
    case .subscribe(let it), .alive(let it): writeBeginning(index, thread: it.thread)
    case .object: writeBeginning(index, thread: nil)
    case .next(let it): writeInstant(.next, index, it, record)
    case .breakpoint(let it): writeInstant(.breakpoint, index, it, record)
    case .completed(let it): writeEnd(.completed, index, it, record.time)
    case .failed(let it): writeEnd(.failed, index, it, record.time)
    case .disposed(let it): writeEnd(.disposed, index, it, record.time)
    case .released(let it): writeEnd(.released, index, it, record.time)
    default: break
    }
  }

  private mutating func writeProcess(_ number: Int, _ log: TraceLog) {
    let name = log.header?.process ?? log.names.first ?? "?"
    metadata("process_name", number) { $0.string("name", name) }
    metadata("process_sort_index", number) { $0.integer("sort_index", number) }
    if let host = log.header?.host {
      metadata("process_labels", number) { $0.string("labels", host) }
    }
    for (thread, name) in log.threads.sorted(by: { $0.key < $1.key }) {
      metadata("thread_name", number, thread: thread) { $0.string("name", name) }
    }
  }

  private mutating func metadata(
    _ name: String, _ log: Int, thread: UInt64 = 0, _ arguments: (inout JSONWriter) -> Void
  ) {
    let pid = numbers[log]
    write {
      $0.string("name", name)
      $0.string("ph", "M")
      $0.integer("pid", pid)
      $0.integer("tid", thread)
      $0.object("args", arguments)
    }
  }

  private mutating func writeMark(_ mark: LogMark) {
    event(mark.log, "i", "mark", mark.name, mark.time, thread: nil) { $0.string("s", "p") }
  }

  private mutating func writeScope(_ scope: LogScope) {
    let begin = scope.begin ?? .zero
    event(scope.log, "b", "scope", scope.title, begin, thread: nil) { $0.id(scope.number) }
    guard let end = scope.end else { return }
    event(scope.log, "e", "scope", scope.title, end, thread: nil) { $0.id(scope.number) }
  }

  private mutating func writeBeginning(_ index: Int, thread: UInt64?) {
    guard !hasBegun[index] else { return }
    hasBegun[index] = true
    let lifecycle = selection.log.lifecycles[index]
    let scope = selection.scopeName(of: lifecycle)
    let findings = selection.findings.findings(of: index)
    life("b", lifecycle, lifecycle.site.lane, lifecycle.start, thread: thread) {
      let site = lifecycle.site
      if let op = site.op { $0.string("op", op.rawValue) }
      if let source = site.source { $0.string("source", source) }
      if let function = site.function { $0.string("function", function) }
      if let type = site.type { $0.string("type", type) }
      if let parent = lifecycle.parent { $0.integer("parent", parent.number) }
      if let cause = lifecycle.cause { $0.integer("cause", cause.number) }
      if let scope { $0.string("scope", scope) }
      if lifecycle.livesUntilExit {
        $0.string("lifetime", LogFormat.Lifetime.process.rawValue)
      }
      guard !findings.isEmpty else { return }
      $0.array("findings") {
        for finding in findings { $0.object { $0.write(finding) } }
      }
    }
  }

  private mutating func writeInstant(
    _ kind: LogFormat.Event, _ index: Int, _ moment: TraceRecord.Moment, _ record: ExportRecord
  ) {
    guard record.isInWindow else { return }
    let lifecycle = selection.log.lifecycles[index]
    life("n", lifecycle, kind.rawValue, record.time, thread: moment.thread) {
      if let text = moment.text { $0.string("value", text.string) }
      if let bytes = moment.truncated { $0.integer("truncated", bytes) }
    }
  }

  private mutating func writeEnd(
    _ state: Lifecycle.State, _ index: Int, _ moment: TraceRecord.Moment, _ time: Nanoseconds
  ) {
    let lifecycle = selection.log.lifecycles[index]
    guard lifecycle.state == state, lifecycle.end == time, !hasEnded[index] else { return }
    writeBeginning(index, thread: nil)
    hasEnded[index] = true
    writeWaits(index)
    writeFindings(index)
    life("e", lifecycle, lifecycle.site.lane, time, thread: moment.thread) {
      $0.string("end", state.name)
      if let error = moment.text { $0.string("error", error.string) }
    }
  }

  /// Writes the waits of a task, nested in its life.
  private mutating func writeWaits(_ index: Int) {
    let lifecycle = selection.log.lifecycles[index]
    for wait in selection.waits(of: index) {
      let name = "waits " + TaskWords.purpose(wait.wait)
      life("b", lifecycle, name, wait.start, thread: nil) { _ in }
      if let end = wait.end { life("e", lifecycle, name, end, thread: nil) { _ in } }
    }
  }

  /// Writes an event for each finding whose first subscription this is.
  private mutating func writeFindings(_ index: Int) {
    let lifecycle = selection.log.lifecycles[index]
    let time = selection.timeOfFinding(index)
    for finding in selection.findings.events(of: index) {
      life("n", lifecycle, finding.head.name, time, thread: nil) {
        $0.object("finding") { $0.write(finding) }
      }
    }
  }

  private mutating func life(
    _ phase: String, _ lifecycle: Lifecycle, _ name: String, _ time: Nanoseconds,
    thread: UInt64?, _ arguments: (inout JSONWriter) -> Void
  ) {
    event(Int(lifecycle.log), phase, "subscription", name, time, thread: thread) {
      $0.id(lifecycle.id.number)
      $0.object("args") {
        $0.integer("subscription", lifecycle.id.number)
        arguments(&$0)
      }
    }
  }

  private mutating func event(
    _ log: Int, _ phase: String, _ category: String, _ name: String, _ time: Nanoseconds,
    thread: UInt64?, _ body: (inout JSONWriter) -> Void
  ) {
    let pid = numbers[log]
    write {
      $0.string("name", name)
      $0.string("cat", category)
      $0.string("ph", phase)
      $0.thousandths("ts", time.count)
      $0.integer("pid", pid)
      $0.integer("tid", thread ?? 0)
      body(&$0)
    }
  }

  /// Writes an event on a line of its own.
  private mutating func write(_ members: (inout JSONWriter) -> Void) {
    output.write(isFirst ? "\n" : ",\n")
    isFirst = false
    json.object(nil, members)
    output.write(json.bytes)
    // For the writer, the next event is a separate document.
    json.newline()
    json.removeBytes()
  }
}

extension JSONWriter {
  /// Writes the members of a finding.
  fileprivate mutating func write(_ finding: ExportedFinding) {
    string("id", finding.head.id)
    string("rule", finding.head.rule)
    string("severity", finding.head.severity.rawValue)
    string("sentence", finding.head.sentence)
    string("place", finding.place)
    if !finding.advice.isEmpty { string("advice", finding.advice) }
    if let holder = finding.holder { string("holder", holder) }
    let lists = [
      ("steps", finding.steps), ("objects", finding.objects), ("origins", finding.head.origins),
    ]
    for (key, texts) in lists where !texts.isEmpty {
      array(key) { for text in texts { $0.string(nil, text) } }
    }
  }

  /// Writes an id that is unique among the events of a process with the same category.
  fileprivate mutating func id(_ number: UInt64) {
    object("id2") { $0.string("local", "0x" + String(number, radix: 16)) }
  }
}
