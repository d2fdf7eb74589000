import TerminalUI
import TraceAnalysis
import TraceFormat
import TraceWords
import ViewerConsole

/// The tasks and lanes that a task waits for, and the tasks that wait for it, as trees.
///
///     waits for #5 order.ship at Order.swift:30 for 3.2 s
///     └ #5 order.ship  waits at Ship.swift:12 for 3.2 s
///       └ #6 order.pack  waits for a continuation at Pack.swift:8 for 3.1 s
///         └ #9 parcels  no element for 3.1 s
struct WaitPicture {
  struct Row {
    let line: Line
    /// The place where the task of the row waits.
    let source: String?
    /// The task or subscription of the row; nil if it is the one that the picture is about.
    let task: Int?
  }

  private let index: Int
  private let viewed: ViewedLog
  private let words: TaskWords
  private let page: Page
  private let width: Int

  /// The maximum number of rows of a tree, and the maximum depth.
  private static let maxRows = 100
  private static let maxDepth = 16

  init(_ index: Int, _ viewed: ViewedLog, _ page: Page, width: Int) {
    self.index = index
    self.viewed = viewed
    self.page = page
    self.width = max(8, width)
    words = TaskWords(viewed.log, page)
  }

  private var log: LogAnalysis { viewed.log }

  /// The rows from the task down to the ends of what it waits for.
  var waits: [Row] {
    guard let present = log.presentWait(of: index) else { return [] }
    let first = page.sentencePieces(words.sentence(present, of: index), width: width).map {
      Row(line: Line($0, .bold), source: present.source, task: nil)
    }
    let tree = tree { viewed.waits.waits(of: $0) }
    return first + lane(of: index, below: [])
      + rows(tree, hasLanes: true) { number in
        tree.rows.indices.contains(number + 1) && tree.rows[number + 1].parent == number
      }
  }

  /// The rows of the tasks that wait for the next element of a subscription.
  var waitersForElement: [Row] {
    let tasks = viewed.awaited.tasks(of: index)
    let count = tasks.first.map { viewed.awaited.subscriptions(of: $0).count } ?? 0
    let shown = tasks.prefix(Self.maxRows)
    var rows = shown.enumerated().compactMap { number, task -> Row? in
      guard let present = log.presentWait(of: task) else { return nil }
      var line = Line(page.glyphs.sign(number + 1 < tasks.count ? .fork : .last), .dim)
      line.append(words.name(task), .bold)
      line.append("  " + words.sentence(present, of: task))
      if count > 1 { line.append("  (this lane has \(CountText.number(count)))", .dim) }
      return Row(
        line: line.cut(to: width, ellipsis: page.glyphs.ellipsis), source: present.source,
        task: task)
    }
    let rest = tasks.count - shown.count
    if rest > 0 {
      rows.append(
        Row(line: Line("+\(CountText.make(rest, "more task"))", .dim), source: nil, task: nil))
    }
    return rows
  }

  /// Returns the row of the lane that a task waits for, below the branches of the task's own row.
  private func lane(of task: Int, below branches: [TreeBranch]) -> [Row] {
    let subscriptions = viewed.awaited.subscriptions(of: task)
    guard let first = subscriptions.first else { return [] }
    let lifecycle = log.lifecycles[first]
    var line = Line()
    for branch in branches.suffix(Self.maxDepth) {
      let passing: TreeBranch = branch == .fork || branch == .line ? .line : .none
      line.append(page.glyphs.sign(passing), .dim)
    }
    line.append(page.glyphs.sign(.last), .dim)
    if subscriptions.count == 1 {
      line.append(page.safe(log.title(of: lifecycle)), .bold)
      line.append("  " + silence(of: first))
    } else {
      line.append(page.safe(lifecycle.site.lane), .bold)
      let count = CountText.number(subscriptions.count)
      line.append("  one of \(count) active subscriptions")
    }
    return [
      Row(
        line: line.cut(to: width, ellipsis: page.glyphs.ellipsis), source: lifecycle.site.source,
        task: first)
    ]
  }

  /// Returns how long an active subscription has had no element.
  private func silence(of index: Int) -> String {
    let lifecycle = log.lifecycles[index]
    let end = log.lastMoment(of: lifecycle)
    guard lifecycle.elements > 0 else {
      return "no element since it began \(page.duration(end.since(lifecycle.start))) ago"
    }
    let last = viewed.snapshot.elements.previous(before: end.after(1), of: index)
    return last.map { "no element for \(page.duration(end.since($0)))" } ?? "active"
  }

  /// The rows of the tasks that wait for the task, and of those that wait for them.
  var waiters: [Row] {
    rows(tree { viewed.waits.waiters(of: $0) }) { _ in true }
  }

  private func tree(_ next: @escaping (Int) -> [Int]) -> WaitTree {
    WaitTree(
      roots: [index], waits: next, isShown: { _ in true },
      count: { log.unfinishedTask(of: $0)?.count ?? 1 },
      kind: kind)
  }

  /// Equal tasks have equal kinds. Only the first of many has a row.
  private func kind(_ task: Int) -> String? {
    guard let present = log.presentWait(of: task) else { return nil }
    let place = [present.source, present.function].map { $0 ?? "" }.joined(separator: " ")
    return "\(log.lifecycles[task].site.lane) \(present.activity) \(place)"
  }

  /// - Parameters:
  ///   - isBrief: Returns whether the row before or after a row is about the other side of its
  ///     wait.
  ///   - hasLanes: A Boolean value that indicates whether the lanes that the tasks wait for are
  ///     below them.
  private func rows(
    _ tree: WaitTree, hasLanes: Bool = false, _ isBrief: (Int) -> Bool
  ) -> [Row] {
    let shown = tree.rows.indices.dropFirst().prefix(Self.maxRows)
    var rows: [Row] = []
    for number in shown {
      let row = tree.rows[number]
      var line = Line()
      for branch in tree.branches(before: number).suffix(Self.maxDepth) {
        line.append(page.glyphs.sign(branch), .dim)
      }
      line.append(words.name(row.task), .bold)
      let wait = log.presentWait(of: row.task)
      if tree.closesCircle(number) {
        line.append("  (closes the circle)", Glyphs.suspectStyle)
      } else if row.isRepeated {
        line.append("  (see above)", .dim)
      } else if let wait {
        line.append("  " + (isBrief(number) ? words.brief : words.sentence)(wait, row.task))
      }
      if row.likeCount > 0 {
        line.append("  +\(CountText.make(row.likeCount, "task")) like it", .dim)
      }
      rows.append(
        Row(
          line: line.cut(to: width, ellipsis: page.glyphs.ellipsis), source: wait?.source,
          task: row.task))
      if hasLanes, !row.isRepeated {
        rows += lane(of: row.task, below: tree.branches(before: number))
      }
    }
    let rest = tree.rows.count - 1 - shown.count
    if rest > 0 {
      rows.append(
        Row(line: Line("+\(CountText.make(rest, "more task"))", .dim), source: nil, task: nil))
    }
    return rows
  }
}
