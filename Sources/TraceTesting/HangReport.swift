import ReactiveTrace
import SystemLibrary
import TraceFormat

/// A report of what a task of this process waits for, and what those tasks wait for.
struct HangReport: Sendable {
  /// The tasks on several lines: each with its functions, below the one that waits for it.
  let text: String
  /// The line at which the wait ends that explains the others, such as `Shop/Cart.swift:31`.
  let source: String?

  /// The number of the current task, or nil if there isn't one or if it can't be read.
  static var currentTask: UInt64? { TaskNumber.current }

  /// Describes a task. This blocks the calling thread for at most `limit`.
  ///
  /// - Parameter number: The number of the task. If it is nil, all tasks are described.
  init(ofTask number: UInt64?, limit: Duration = .seconds(2)) {
    do throws(TaskInspectionError) {
      let own = TaskNumber.current
      self.init(try Trace.tasks(limit: limit).map(\.task).filter { $0.id != own }, from: number)
    } catch {
      self.init(text: "What it waits for isn't known. \(error)", source: nil)
    }
  }

  private init(text: String, source: String?) {
    self.text = text
    self.source = source
  }

  /// Describes tasks.
  ///
  /// - Parameter number: The number of the task with which the description begins.
  init(_ tasks: [RunningTask], from number: UInt64?) {
    let byNumber = Dictionary(tasks.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    var lines: [String] = []
    var bottoms: [RunningTask] = []
    var seen: Set<UInt64> = []
    func describe(_ number: UInt64, _ depth: Int) {
      guard let task = byNumber[number] else { return }
      guard seen.insert(number).inserted else {
        lines.append(Self.indented("task #\(number), as above", depth))
        return
      }
      lines.append(Self.text(task, depth))
      let next = Self.awaited(task).filter { byNumber[$0] != nil }
      if next.isEmpty { bottoms.append(task) }
      for number in next { describe(number, depth + 1) }
    }
    let roots = number.flatMap { byNumber[$0].map { [$0.id] } } ?? tasks.map(\.id)
    for root in roots where !seen.contains(root) { describe(root, 0) }
    // A thread that is blocked in a task keeps others from their turn.
    let others = tasks.filter { $0.state == .running && !seen.contains($0.id) }
    if bottoms.contains(where: \.waitsForTurn), !others.isEmpty {
      lines.append("Other tasks that threads run, or are blocked in:")
      lines += others.map { Self.text($0, 1) }
    }
    if bottoms.contains(where: { $0.waitsForTurn || $0.state == .running }) {
      lines.append("'trace-viewer tasks \(getpid())' shows the calls of the threads.")
    }
    self.init(
      text: lines.joined(separator: "\n"),
      source: bottoms.lazy.compactMap(\.source).first
        ?? roots.lazy.compactMap { byNumber[$0]?.source }.first)
  }

  /// Returns the numbers of the tasks that a task waits for.
  private static func awaited(_ task: RunningTask) -> [UInt64] {
    switch task.state {
    case .waiting(.task(let number)): number.map { [$0] } ?? []
    case .waiting(.group): task.children
    default: []
    }
  }

  /// Returns the description of a task without the functions of the traits that run the test.
  private static func text(_ task: RunningTask, _ depth: Int) -> String {
    let lines = task.description.split(separator: "\n").filter {
      !$0.contains("Trait.provideScope(for:testCase:performing:)")
    }
    return indented(lines.joined(separator: "\n"), depth)
  }

  private static func indented(_ text: String, _ depth: Int) -> String {
    let indentation = String(repeating: "  ", count: depth)
    return text.split(separator: "\n").map { indentation + $0 }.joined(separator: "\n")
  }
}

extension RunningTask {
  /// A Boolean value that indicates whether the task could run, but a thread or an actor isn't
  /// free.
  fileprivate var waitsForTurn: Bool {
    switch state {
    case .enqueued, .waiting(.executor): true
    default: false
    }
  }

  /// The innermost line of the program, or nil if it is unknown.
  fileprivate var source: String? {
    callStack.first { !$0.isOfSystem && $0.source != nil }?.source
  }
}
