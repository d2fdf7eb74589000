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
  private let awaited: AwaitedLanes
  /// The tasks that have a row, or are among those like one with a row.
  private let shown: Set<Int>
  private let title: String
  /// The threads by their numbers.
  private let threads: [Int32: ThreadStack]
  private let isInspected: Bool
  private let isFull: Bool
  /// The tasks that come first.
  private let first: Set<Int>
  /// The maximum number of rows.
  private let maxRows: Int
  /// The maximum number of equal tasks that are listed.
  static let maxNumbers = 8
  private static let maxDepth = 12

  init(_ excerpt: LogExcerpt, _ options: ReportOptions) {
    let log = excerpt.log
    self.log = log
    graph = WaitGraph(log)
    awaited = AwaitedLanes(log, graph)
    let tasks = graph.tasks.filter {
      excerpt.contains($0) && log.logs[log.log(of: $0)].inspection == nil
        && log.presentWait(of: $0) != nil
    }
    shown = Set(tasks)
    title = "\(CountText.number(tasks.count)) that \(tasks.count == 1 ? "hasn't" : "haven't") ended"
    (threads, isInspected, isFull, first) = ([:], false, false, [])
    maxRows = options.maxCount(40)
  }

  /// - Parameters:
  ///   - number: The index of the log about the process.
  ///   - first: The tasks that come first.
  ///   - isOnlyFirst: A Boolean value that indicates whether only these have rows.
  init(
    inspection number: Int, of log: LogAnalysis, isFull: Bool, first: Set<Int>,
    isOnlyFirst: Bool = false
  ) {
    self.log = log
    graph = WaitGraph(log)
    awaited = AwaitedLanes(log, graph)
    let one = log.logs[number]
    let threads = Dictionary(
      one.inspection?.threads.map { ($0.thread, $0) } ?? [], uniquingKeysWith: { first, _ in first }
    )
    let tasks = graph.tasks.filter(one.members.contains)
    shown = Set(
      tasks.filter { index in
        if isOnlyFirst { return first.contains(index) }
        guard let task = log.unfinishedTask(of: index), !isFull else { return isFull }
        let calls = task.calls + (task.thread.flatMap { threads[$0]?.calls } ?? [])
        // A task that hasn't begun to run a closure of the program only has that closure.
        return task.name != nil || calls.contains(where: \.isOfUser)
          || task.state == .enqueued && task.calls.map(\.origin) == [.generated]
      })
    let all = tasks.reduce(0) { $0 + Self.count(of: $1, log) }
    let hidden = all - shown.reduce(0) { $0 + Self.count(of: $1, log) }
    title =
      CountText.make(all, "task")
      + (hidden > 0 ? ", \(hidden) of libraries not shown (--full)" : "")
    (self.threads, isInspected, self.isFull, self.first) = (threads, true, isFull, first)
    maxRows = .max
  }

  func lines(_ page: Page) -> [Line] {
    guard !shown.isEmpty else { return [] }
    let tree = tree
    var lines = [heading]
    for row in tree.rows.indices.prefix(maxRows) { lines += self.lines(row, tree, page) }
    let rest = tree.rows.dropFirst(maxRows).reduce(0) { $0 + $1.count }
    if rest > 0 { lines += page.wrap("+\(CountText.make(rest, "more task"))", .dim) }
    return lines
  }

  /// Returns the tree as a list that is shown as far as there is room.
  func list(_ page: Page) -> BoundedList {
    let tree = tree
    guard !tree.rows.isEmpty else {
      return BoundedList(
        title: heading, noun: "task", counts: graph.tasks.isEmpty ? [] : [0], entry: { _ in [] })
    }
    return BoundedList(
      title: heading, noun: "task", counts: tree.rows.map(\.count),
      entry: { lines($0, tree, page) })
  }

  private var heading: Line {
    var line = Line("TASKS", .bold)
    line.append("  \(title)", .dim)
    return line
  }

  private var tree: WaitTree {
    // The first tasks, and those that wait for them.
    var leading: Set<Int> = []
    var open = Array(first)
    while let task = open.popLast() {
      if leading.insert(task).inserted { open += graph.waiters(of: task) }
    }
    func ordered(_ tasks: [Int]) -> [Int] {
      leading.isEmpty
        ? tasks : tasks.filter(leading.contains) + tasks.filter { !leading.contains($0) }
    }
    return WaitTree(
      roots: ordered(graph.roots), waits: { ordered(graph.waits(of: $0)) },
      isShown: shown.contains, count: { Self.count(of: $0, log) }, kind: kind)
  }

  /// Returns the number of tasks that the record of a task describes.
  private static func count(of task: Int, _ log: LogAnalysis) -> Int {
    log.unfinishedTask(of: task)?.count ?? 1
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
    var lines = page.wrap(pieces, first: Line(indent), indent: below.count)
    guard !row.isRepeated else { return lines }
    lines += calls(present, indent, below, page) + lane(of: row.task, indent, page)
    let names = row.others.map { other in
      isInspected
        ? "#\(log.lifecycles[other].id.number)" : log.name(of: log.lifecycles[other])
    }
    return lines + Self.like("task", row.likeCount, names, below, page)
  }

  /// Returns the line with the lane that a task waits for.
  private func lane(of task: Int, _ indent: String, _ page: Page) -> [Line] {
    let subscriptions = awaited.subscriptions(of: task)
    guard let first = subscriptions.first else { return [] }
    let name =
      subscriptions.count == 1
      ? log.title(of: log.lifecycles[first])
      : "\(log.lifecycles[first].site.lane), "
        + "one of \(CountText.number(subscriptions.count)) active subscriptions"
    let line = Line(indent + DisplayWidth.spaces(page.indent(2)) + page.safe(name))
    return [line.cut(to: page.width, ellipsis: page.glyphs.ellipsis)]
  }

  /// Returns the line about things that differ from the one above only in their numbers and names.
  static func like(
    _ kind: String, _ count: Int, _ names: [String], _ indent: String, _ page: Page
  ) -> [Line] {
    guard count > 0 else { return [] }
    let list = page.safe(names.prefix(maxNumbers).joined(separator: ", "))
    let rest = min(names.count, maxNumbers) < count ? ", \(page.glyphs.ellipsis)" : ""
    let all = names.isEmpty ? "" : ": \(list)\(rest)"
    let line = Line("\(indent)+\(CountText.make(count, kind)) like it\(all)", .dim)
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
    let words = [
      Line("thread \(thread.thread)", .dim), Line(page.safe(HangWords.activity(thread.activity))),
    ]
    return page.wrap(words, first: Line(indent + "  "), indent: below.count)
      + InspectionView.calls(thread.calls, isFull, below, page)
  }

  /// What equal tasks have in common, apart from the tasks that they wait for.
  private struct Kind: Hashable {
    let lane: String
    let present: PresentWait
  }

  private func kind(_ task: Int) -> Kind? {
    guard !isFull, var present = log.presentWait(of: task), present.activity != .runs else {
      return nil
    }
    (present.number, present.name, present.since, present.awaited) = (nil, nil, nil, [])
    return Kind(lane: isInspected ? "" : log.lifecycles[task].site.lane, present: present)
  }
}

extension Page {
  /// Returns pieces broken between words. Each span of a piece keeps its style.
  func wrap(_ pieces: [Line], first: Line = Line(), indent: Int) -> [Line] {
    let words = pieces.flatMap(\.spans).flatMap { span in
      span.text.split(separator: " ").map {
        Line(FindingWords.beginning(String($0)), span.style)
      }
    }
    return flow(words, separator: " ", first: first, indent: indent)
  }
}
