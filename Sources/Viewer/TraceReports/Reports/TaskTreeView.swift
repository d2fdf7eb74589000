import TerminalUI
import TraceAnalysis
import TraceFormat
import TraceWords
import ViewerConsole

/// The tree of who waits for whom among the tasks that haven't ended, in logs that processes wrote
/// or in one about a process that was inspected.
struct TaskTreeView {
  private let log: LogAnalysis
  private let graph: WaitGraph
  /// The tasks that have a row, or are among those like one with a row.
  private let shown: Set<Int>
  private let title: String
  /// The threads by their numbers.
  private let threads: [Int32: ThreadStack]
  private let isInspected: Bool
  private let isFull: Bool
  /// The maximum number of rows.
  private let maxRows: Int
  /// The maximum number of equal tasks that are listed.
  static let maxNumbers = 8
  private static let maxDepth = 12

  init(_ excerpt: LogExcerpt, _ options: ReportOptions) {
    let log = excerpt.log
    self.log = log
    graph = WaitGraph(log)
    let tasks = graph.tasks.filter {
      excerpt.contains($0) && log.logs[log.log(of: $0)].inspection == nil
        && log.presentWait(of: $0) != nil
    }
    shown = Set(tasks)
    title = "\(CountText.number(tasks.count)) that \(tasks.count == 1 ? "hasn't" : "haven't") ended"
    (threads, isInspected, isFull) = ([:], false, false)
    maxRows = options.maxCount(40)
  }

  /// - Parameter number: The index of the log about the process.
  init(inspection number: Int, of log: LogAnalysis, isFull: Bool) {
    self.log = log
    graph = WaitGraph(log)
    let one = log.logs[number]
    let threads = Dictionary(
      one.inspection?.threads.map { ($0.thread, $0) } ?? [], uniquingKeysWith: { first, _ in first }
    )
    let tasks = graph.tasks.filter(one.members.contains)
    shown = Set(
      tasks.filter { index in
        guard let task = log.unfinishedTask(of: index), !isFull else { return isFull }
        let calls = task.calls + (task.thread.flatMap { threads[$0]?.calls } ?? [])
        // A task that hasn't begun to run a closure of the program only has that closure.
        return task.name != nil || calls.contains(where: \.isOfUser)
          || task.state == .enqueued && task.calls.map(\.origin) == [.generated]
      })
    let hidden = tasks.count - shown.count
    title =
      CountText.make(tasks.count, "task")
      + (hidden > 0 ? ", \(hidden) of libraries not shown (--full)" : "")
    (self.threads, isInspected, self.isFull, maxRows) = (threads, true, isFull, .max)
  }

  func lines(_ page: Page) -> [Line] {
    guard !shown.isEmpty || isInspected && !graph.tasks.isEmpty else { return [] }
    let tree = WaitTree(
      roots: graph.roots, waits: graph.waits, isShown: shown.contains,
      kind: { task, parent in isFull ? nil : kind(task, parent) })
    var lines = [Line("TASKS", .bold)]
    lines[0].append("  \(title)", .dim)
    for row in tree.rows.indices.prefix(maxRows) { lines += self.lines(row, tree, page) }
    let rest = tree.rows.dropFirst(maxRows).filter { !$0.isRepeated }
      .reduce(0) { $0 + 1 + $1.others.count }
    if rest > 0 { lines += page.wrap("+\(CountText.make(rest, "more task"))", .dim) }
    return lines
  }

  private func lines(_ number: Int, _ tree: WaitTree, _ page: Page) -> [Line] {
    let row = tree.rows[number]
    guard let present = log.presentWait(of: row.task) else { return [] }
    let words = TaskWords(log, page)
    let indent = DisplayWidth.spaces(
      page.indent(2) + min(row.depth, Self.maxDepth) * page.indent(2))
    let isBrief = row.isRepeated || isInspected
    let state = isBrief ? words.state(present, of: row.task) : words.sentence(present, of: row.task)
    var pieces = [Line(words.name(row.task), .bold), Line(state)]
    if isInspected, let time = words.time(present, of: row.task) { pieces.append(Line(time, .dim)) }
    if tree.closesCircle(number) {
      pieces.append(Line("(closes the circle)", Glyphs.suspectStyle))
    } else if row.isRepeated {
      pieces.append(Line("(see above)", .dim))
    }
    let below = indent + DisplayWidth.spaces(page.indent(4))
    var lines = page.flow(
      pieces.flatMap(Self.words), separator: " ", first: Line(indent), indent: below.count)
    guard !row.isRepeated else { return lines }
    lines += calls(present, indent, below, page)
    let names = row.others.map { other in
      isInspected
        ? "#\(log.lifecycles[other].id.number)" : log.name(of: log.lifecycles[other])
    }
    return lines + Self.like("task", names, below, page)
  }

  private static func words(_ line: Line) -> [Line] {
    let style = line.spans.first?.style ?? .plain
    return line.text.split(separator: " ").map { Line(FindingWords.beginning(String($0)), style) }
  }

  /// Returns the line about things that differ from the one above only in their numbers and names.
  static func like(
    _ kind: String, _ names: [String], _ indent: String, _ page: Page
  ) -> [Line] {
    guard !names.isEmpty else { return [] }
    let list = page.safe(names.prefix(maxNumbers).joined(separator: ", "))
    let rest = names.count > maxNumbers ? ", \(page.glyphs.ellipsis)" : ""
    let line = Line("\(indent)+\(CountText.make(names.count, kind)) like it: \(list)\(rest)", .dim)
    return [line.cut(to: page.width, ellipsis: page.glyphs.ellipsis)]
  }

  private func calls(
    _ present: PresentWait, _ indent: String, _ below: String, _ page: Page
  ) -> [Line] {
    guard isInspected else {
      // A single one is in the sentence already.
      return present.calls.count > 1
        ? CallLines(calls: present.calls, isFull: false, hint: "").lines(below, page) : []
    }
    // The functions of a running task are those of its last suspension, which may have returned.
    guard present.activity == .runs else {
      return InspectionView.calls(present.calls, isFull, below, page)
    }
    guard let thread = present.thread.flatMap({ threads[$0] }), !thread.calls.isEmpty else {
      return []
    }
    var line = Line("\(indent)  thread \(thread.thread)  ", .dim)
    line.append(page.safe(HangWords.activity(thread.activity)))
    return [line.cut(to: page.width, ellipsis: page.glyphs.ellipsis)]
      + InspectionView.calls(thread.calls, isFull, below, page)
  }

  /// What equal tasks have in common.
  private struct Kind: Hashable {
    let parent: Int
    let lane: String
    let present: PresentWait
  }

  private func kind(_ task: Int, _ parent: Int) -> Kind? {
    guard var present = log.presentWait(of: task), present.activity != .runs else { return nil }
    (present.number, present.name, present.since) = (nil, nil, nil)
    return Kind(
      parent: parent, lane: isInspected ? "" : log.lifecycles[task].site.lane, present: present)
  }
}
