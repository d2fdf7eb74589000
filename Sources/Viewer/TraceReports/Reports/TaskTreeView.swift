import TerminalUI
import TraceAnalysis
import TraceFormat
import TraceWords
import ViewerConsole

/// The tree of who waits for whom among the tasks that haven't ended.
struct TaskTreeView {
  private let excerpt: LogExcerpt
  private let log: LogAnalysis
  private let graph: WaitGraph
  /// The maximum number of rows.
  private let maxRows: Int
  /// The maximum number of calls of a task, and of equal tasks that are listed.
  private static let maxCalls = 6
  private static let maxNumbers = 8
  private static let maxDepth = 12

  init(_ excerpt: LogExcerpt, _ options: ReportOptions) {
    self.excerpt = excerpt
    log = excerpt.log
    graph = WaitGraph(excerpt.log)
    maxRows = options.maxCount(40)
  }

  func lines(_ page: Page) -> [Line] {
    let tasks = graph.tasks.filter { excerpt.contains($0) && log.presentWait(of: $0) != nil }
    guard !tasks.isEmpty else { return [] }
    let shown = Set(tasks)
    let tree = WaitTree(
      roots: graph.roots, waits: graph.waits,
      isShown: shown.contains, kind: { task, parent in kind(task, parent) })
    var title = Line("TASKS", .bold)
    title.append(
      "  \(CountText.number(tasks.count)) that \(tasks.count == 1 ? "hasn't" : "haven't") ended",
      .dim)
    var lines = [title]
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
    let state =
      row.isRepeated ? words.state(present, of: row.task) : words.sentence(present, of: row.task)
    var pieces = [Line(words.name(row.task), .bold), Line(state)]
    if tree.closesCircle(number) {
      pieces.append(Line("(closes the circle)", Glyphs.suspectStyle))
    } else if row.isRepeated {
      pieces.append(Line("(see above)", .dim))
    }
    let below = indent + DisplayWidth.spaces(page.indent(4))
    var lines = page.flow(
      pieces.flatMap(Self.words), separator: " ", first: Line(indent), indent: below.count)
    guard !row.isRepeated else { return lines }
    lines += calls(present, below, page)
    if !row.others.isEmpty {
      let names = row.others.prefix(Self.maxNumbers).map { log.name(of: log.lifecycles[$0]) }
      let rest = row.others.count > names.count ? ", \(page.glyphs.ellipsis)" : ""
      let text =
        "+\(CountText.make(row.others.count, "task")) like it: "
        + page.safe(names.joined(separator: ", ")) + rest
      lines.append(Line(below + text, .dim).cut(to: page.width, ellipsis: page.glyphs.ellipsis))
    }
    return lines
  }

  private static func words(_ line: Line) -> [Line] {
    let style = line.spans.first?.style ?? .plain
    return line.text.split(separator: " ").map { Line(FindingWords.beginning(String($0)), style) }
  }

  /// Returns the asynchronous calls of a task. A single one is in the sentence already.
  private func calls(_ present: PresentWait, _ indent: String, _ page: Page) -> [Line] {
    guard present.calls.count > 1 else { return [] }
    let shown = present.calls.prefix(Self.maxCalls).map { call -> Line in
      let text = [call.function, call.source.map { "(\($0))" }].compactMap(\.self)
        .joined(separator: " ")
      let room = max(16, page.width - indent.count)
      return Line(indent + page.cutMiddle(page.safeBeginning(text), to: room), .dim)
    }
    let rest = present.calls.count - shown.count
    return shown
      + (rest > 0 ? [Line("\(indent)+\(CountText.make(rest, "more call"))", .dim)] : [])
  }

  /// What equal tasks have in common.
  private struct Kind: Hashable {
    let parent: Int
    let lane: String
    let activity: String
    let place: [String?]
  }

  private func kind(_ task: Int, _ parent: Int) -> Kind? {
    guard let present = log.presentWait(of: task), case .waits(let wait) = present.activity else {
      return nil
    }
    let words = [wait?.rawValue, present.pause?.rawValue, present.reach?.rawValue]
    return Kind(
      parent: parent, lane: log.lifecycles[task].site.lane,
      activity: words.map { $0 ?? "-" }.joined(separator: " ")
        + (present.isCanceled ? " canceled" : "")
        + present.awaited.map { " \($0.number)" }.joined(),
      place: present.calls.isEmpty
        ? [present.source, present.function] : present.calls.flatMap { [$0.source, $0.function] })
  }
}
