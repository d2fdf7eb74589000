package import TerminalUI
package import TraceAnalysis
import TraceFormat
import TraceWords
package import ViewerConsole

/// The log of an inspection as text: the most probable causes, then the tree of who waits for whom,
/// then the threads. What a cause is about comes first.
package struct InspectionView {
  private let analysis: LogAnalysis
  /// The index of the log.
  private let number: Int
  private let log: TraceLog
  private let process: InspectedProcess
  /// A Boolean value that indicates whether to show everything, and not only the user's code.
  private let isFull: Bool
  let groups: [HangGroup]
  /// The maximum number of lines, unless everything is shown. That fits on a large terminal.
  static let maxLines = 60

  /// Creates the view of a log, or returns nil if the log isn't one of an inspection.
  init?(_ number: Int, of analysis: LogAnalysis, isFull: Bool, isHang: Bool = false) {
    guard let process = analysis.logs[number].inspection else { return nil }
    self.analysis = analysis
    self.number = number
    log = analysis.logs[number]
    self.process = process
    self.isFull = isFull
    groups = HangGroup.all(of: log, isHang: isHang)
  }

  /// Creates the views of all inspections among logs.
  ///
  /// - Parameter isHang: A Boolean value that indicates whether the processes are known to hang.
  package static func all(
    _ analysis: LogAnalysis, isFull: Bool, isHang: Bool = false
  ) -> [InspectionView] {
    analysis.logs.indices.compactMap {
      InspectionView($0, of: analysis, isFull: isFull, isHang: isHang)
    }
  }

  package func lines(_ page: Page) -> [Line] {
    let header = header(page)
    var room = (isFull ? .max / 2 : Self.maxLines) - header.count - 1
    let causes = Self.causes([self], page).lines(room: room / 2)
    room -= causes.isEmpty ? 0 : causes.count + 1
    return Self.joined([header, causes] + lists(page, room: room))
  }

  /// Returns everything except the causes.
  ///
  /// - Parameter room: The maximum number of lines, unless everything is shown.
  func scene(_ page: Page, room: Int) -> [Line] {
    let header = header(page)
    return Self.joined(
      [header] + lists(page, room: (isFull ? .max / 2 : room) - header.count - 1))
  }

  private func lists(_ page: Page, room: Int) -> [[Line]] {
    let threads = threads(page, process.threads)
    let reserve = threads.lines(room: max(3, room / 3)).count + 1
    let tasks = TaskTreeView(inspection: number, of: analysis, isFull: isFull, first: hangingTasks)
      .list(page).lines(room: max(3, room - reserve))
    let rest = room - (tasks.isEmpty ? 0 : tasks.count + 1)
    return [tasks, threads.lines(room: max(3, rest))]
  }

  /// Returns what a cause is about: the cause, the tasks and the threads.
  func path(of group: HangGroup, _ page: Page, room: Int) -> [Line] {
    let cause = Self.cause(group, nil, page)
    let tasks = Set(group.hang.tasks.compactMap { analysis.index(of: $0, log: number) })
    let tree = TaskTreeView(
      inspection: number, of: analysis, isFull: false, first: tasks, isOnlyFirst: true)
    let threads = process.threads.filter {
      group.hang.threads.contains($0.thread) && $0.task == nil
    }
    var lists = [tree.list(page), self.threads(page, threads)]
    for number in lists.indices { lists[number].title = nil }
    return Array((cause + lists.flatMap { $0.lines(room: room) }).prefix(room))
  }

  /// The tasks that the causes are about.
  private var hangingTasks: Set<Int> {
    Set(groups.flatMap(\.hang.tasks).compactMap { analysis.index(of: $0, log: number) })
  }

  /// Returns parts with an empty line between them.
  package static func joined(_ parts: [[Line]]) -> [Line] {
    Array(parts.filter { !$0.isEmpty }.joined(separator: [Line()]))
  }

  /// Returns the lines of the calls of a task or a thread.
  static func calls(
    _ calls: [UnfinishedTask.Call], _ isFull: Bool, _ indent: String, _ page: Page
  ) -> [Line] {
    CallLines(calls: calls, isFull: isFull, hint: " (--full)").lines(indent, page)
  }

  // MARK: Header and causes

  private func header(_ page: Page) -> [Line] {
    var line = Line("PROCESS \(log.header?.pid ?? 0)  ", .bold)
    let command = process.command.joined(separator: " ")
    line.append(page.cut(page.safeBeginning(command), to: max(16, page.width - line.columns)))
    let doubt = InspectionWords.doubt(process)
    return [line] + (doubt.map { page.wrap($0, .dim) } ?? [])
  }

  /// Returns the causes of processes.
  static func causes(_ views: [InspectionView], _ page: Page) -> BoundedList {
    let groups = views.flatMap(\.groups)
    return BoundedList(
      noun: "cause", counts: groups.map { _ in 1 },
      entry: { number in
        let process = views.count > 1 ? groups[number].log.header?.pid : nil
        return (number > 0 ? [Line()] : []) + cause(groups[number], process, page)
      })
  }

  /// - Parameter process: The number of the process, if the title should have it.
  private static func cause(_ group: HangGroup, _ process: UInt64?, _ page: Page) -> [Line] {
    var lines = [title(group.hang)]
    if let process { lines[0].append("  process \(process)", .dim) }
    lines += page.wrap(page.safe(group.sentence), indent: 2)
    for place in group.hang.places.map(HangWords.place) where !group.sentence.contains(place) {
      var line = Line("  - ", .dim)
      line.append(page.cutMiddle(page.safe(place), to: max(16, page.width - 4)))
      lines.append(line)
    }
    if let others = group.others { lines += page.wrap(page.safe(others), indent: 2) }
    return lines
  }

  private static func title(_ hang: Hang) -> Line {
    guard hang.cause != .rest else { return Line("AT REST", .bold) }
    let title = hang.isProven ? "CAUSE" : "MOST PROBABLE CAUSE"
    return Line(title, Style(color: .red, isBold: true))
  }

  // MARK: Threads

  private func threads(_ page: Page, _ threads: [ThreadStack]) -> BoundedList {
    let hanging = Set(groups.flatMap(\.hang.threads))
    // A thread that runs a task is shown with the task.
    let all = threads.filter { thread in
      isFull || thread.task == nil && thread.calls.contains(where: \.isShown)
    }
    let shown =
      all.filter { hanging.contains($0.thread) } + all.filter { !hanging.contains($0.thread) }
    let hidden = process.threads.count - shown.count
    var title = Line("THREADS", .bold)
    title.append(
      "  \(CountText.make(process.threads.count, "thread"))"
        + (hidden > 0 ? ", \(hidden) not shown here (--full)" : ""), .dim)
    if process.missingThreads > 0 {
      title.append(", \(process.missingThreads) not read", .dim)
    }
    // Threads of a pool often wait in the same place.
    var kinds: [[String]: Int] = [:]
    var groups: [(thread: ThreadStack, others: [Int32])] = []
    for thread in shown {
      let kind = [HangWords.activity(thread.activity)] + thread.calls.map(HangWords.place)
      if !isFull, let known = kinds[kind] {
        groups[known].others.append(thread.thread)
      } else {
        kinds[kind] = groups.count
        groups.append((thread, []))
      }
    }
    return BoundedList(
      title: title, noun: "thread", counts: groups.map { 1 + $0.others.count },
      entry: { number in
        let (thread, others) = groups[number]
        var words = [Line("thread \(thread.thread)", .bold)]
        if !thread.name.isEmpty { words.append(Line(page.safe("'\(thread.name)'"))) }
        words.append(Line(page.safe(HangWords.activity(thread.activity))))
        if let time = TaskWords.stay(log.lastTime.since(thread.since), page) {
          words.append(Line(time, .dim))
        }
        return page.wrap(words, first: Line("  "), indent: 6)
          + Self.calls(thread.calls, isFull, "      ", page)
          + TaskTreeView.like("thread", others.count, others.map { "\($0)" }, "      ", page)
      })
  }
}
