package import ProcessInspection
import ProcessMemory
package import TerminalUI
import TraceFormat
package import ViewerConsole

/// An inspection as text: the most probable causes, then the tree of who waits for whom, then the
/// threads.
package struct InspectionView {
  /// The maximum number of lines for the calls of a task or a thread, and the number of innermost
  /// and outermost ones if there are more.
  private static let maxFrames = 14
  private static let innermost = 9
  private static let outermost = 4
  /// The maximum number of equal tasks that are listed.
  private static let maxNumbers = 8

  private let inspection: Inspection
  /// A Boolean value that indicates whether to show everything, and not only the user's code.
  private let isFull: Bool
  private let isHang: Bool
  private let history: InspectionHistory?

  /// - Parameters:
  ///   - isHang: A Boolean value that indicates whether the process is known to hang.
  ///   - history: The inspections until now, if there are several. The text then says how long
  ///     tasks and threads have been in the same place, and begins with the longest time.
  package init(
    _ inspection: Inspection, isFull: Bool, isHang: Bool = false,
    history: InspectionHistory? = nil
  ) {
    self.inspection = inspection
    self.isFull = isFull
    self.isHang = isHang
    self.history = history
  }

  package func lines(_ page: Page) -> [Line] {
    joined([header(page), findings(page), tasks(page), threads(page)])
  }

  /// Returns everything except the causes.
  func scene(_ page: Page) -> [Line] {
    joined([header(page), tasks(page), threads(page)])
  }

  private func joined(_ parts: [[Line]]) -> [Line] {
    Array(parts.filter { !$0.isEmpty }.joined(separator: [Line()]))
  }

  // MARK: Header and findings

  private func header(_ page: Page) -> [Line] {
    var line = Line("PROCESS \(inspection.process.process)  ", .bold)
    let command = inspection.process.command.joined(separator: " ")
    line.append(page.cut(page.safeBeginning(command), to: max(16, page.width - line.columns)))
    let doubt = InspectionWords.doubt(inspection.taskList)
    return [line] + (doubt.map { page.wrap($0, .dim) } ?? [])
  }

  /// Returns the causes.
  ///
  /// - Parameter namesProcess: Whether the titles have the number of the process.
  func findings(_ page: Page, namesProcess: Bool = false) -> [Line] {
    let findings = inspection.findings.map { finding -> [Line] in
      let title = finding.isProven ? "CAUSE" : "MOST PROBABLE CAUSE"
      let sentence = page.safe(InspectionWords.sentence(finding, in: inspection, isHang: isHang))
      var lines = [Line(title, Style(color: .red, isBold: true))]
      if namesProcess { lines[0].append("  process \(inspection.process.process)", .dim) }
      lines += page.wrap(sentence, indent: 2)
      let named = namedPlaces(finding)
      for place in finding.places where !named.contains(place) {
        lines.append(Line("  - ", .dim))
        lines[lines.count - 1].append(
          page.cutMiddle(page.safe(InspectionWords.place(place)), to: max(16, page.width - 4)))
      }
      return lines
    }
    return joined(findings)
  }

  /// Returns the places that the sentence about a finding contains.
  private func namedPlaces(_ finding: HangFinding) -> [InspectedFrame] {
    switch finding.cause {
    case .stopped, .blockedPool: []
    case .taskCycle, .lockCycle:
      finding.places.count == 1 ? finding.places : []
    case .blockedThread, .busy:
      finding.threads.isEmpty
        ? Array(finding.places.prefix(1)) : finding.threads.compactMap { thread($0)?.frames.place }
    case .continuation, .executor, .unknown:
      Array(finding.places.prefix(1))
    }
  }

  // MARK: Tasks

  private func tasks(_ page: Page) -> [Line] {
    guard !inspection.tasks.isEmpty else { return [] }
    let tree = TaskTree(inspection, isFull: isFull, history: history)
    let count = CountText.make(inspection.tasks.count, "task")
    let hidden = tree.hiddenCount
    var title = Line("TASKS", .bold)
    title.append(
      "  \(count)" + (hidden > 0 ? ", \(hidden) of libraries not shown (--full)" : ""), .dim)
    return [title]
      + tree.rows.flatMap { row in
        self.task(row, page)
      }
  }

  private func task(_ row: WaitTree.Row, _ page: Page) -> [Line] {
    let task = inspection.tasks[row.task]
    let indent = DisplayWidth.spaces(2 + min(row.depth, 12) * 2)
    var line = Line(indent)
    line.append(page.safe(InspectionWords.task(task)), .bold)
    line.append("  " + page.safe(InspectionWords.state(task, in: inspection)))
    line.append(stay(history?.time(of: task), page), .dim)
    if row.isRepeated { line.append("  (see above)", .dim) }
    var lines = [line.cut(to: page.width, ellipsis: page.glyphs.ellipsis)]
    guard !row.isRepeated else { return lines }
    // The functions of a running task are those of its last suspension, which may have returned.
    if task.state != .running {
      lines += frames(task.frames, task.record.gap, indent + "    ", page)
    }
    if let number = task.thread, let thread = thread(number), !thread.frames.isEmpty {
      var line = Line(indent + "  thread \(number)  ", .dim)
      line.append(page.safe(InspectionWords.activity(thread.activity)))
      lines.append(line.cut(to: page.width, ellipsis: page.glyphs.ellipsis))
      lines += frames(thread.frames, thread.gap, indent + "    ", page)
    }
    lines += like(
      "task", row.others.map { "#\(inspection.tasks[$0].record.number)" }, indent + "    ", page)
    return lines
  }

  private func thread(_ number: Int32) -> InspectedThread? {
    inspection.threads.first { $0.thread == number }
  }

  private func frames(
    _ frames: [InspectedFrame], _ gap: CallGap?, _ indent: String, _ page: Page
  ) -> [Line] {
    var lines: [Line] = []
    var run: (frame: InspectedFrame, count: Int)?
    func endRun() {
      guard let ended = run else { return }
      // Parts of one function that the compiler inlined have the same line.
      let times = ended.count > 2 ? "  (\(CountText.number(ended.count)) times)" : ""
      var line = Line(indent)
      let room = max(16, page.width - indent.count - times.count)
      line.append(
        page.cutMiddle(page.safe(InspectionWords.place(ended.frame)), to: room),
        ended.frame.origin == .user ? .plain : .dim)
      line.append(times, .dim)
      lines.append(line)
      run = nil
    }
    for (index, frame) in frames.enumerated() {
      if let gap, gap.index == index {
        endRun()
        lines.append(Line("\(indent)\(CountText.make(gap.count, "more call")) not read", .dim))
      }
      guard isFull || frame.origin != .system && !frame.isEntry else { continue }
      if let last = run, !isFull, last.frame.hasSameText(as: frame) {
        run = (last.frame, last.count + 1)
      } else {
        endRun()
        run = (frame, 1)
      }
    }
    endRun()
    guard !isFull, lines.count > Self.maxFrames else { return lines }
    let hidden = lines.count - Self.innermost - Self.outermost
    return lines.prefix(Self.innermost)
      + [Line("\(indent)+\(CountText.make(hidden, "line")) (--full)", .dim)]
      + lines.suffix(Self.outermost)
  }

  // MARK: Threads

  private func threads(_ page: Page) -> [Line] {
    // A thread that runs a task is shown with the task.
    let shown = inspection.threads.filter { thread in
      isFull || thread.task == nil && thread.frames.contains { $0.origin != .system && !$0.isEntry }
    }
    guard !shown.isEmpty else { return [] }
    let hidden = inspection.threads.count - shown.count
    var title = Line("THREADS", .bold)
    title.append(
      "  \(CountText.make(inspection.threads.count, "thread"))"
        + (hidden > 0 ? ", \(hidden) not shown here (--full)" : ""), .dim)
    if inspection.missingThreads > 0 {
      title.append(", \(inspection.missingThreads) not read", .dim)
    }
    // Threads of a pool often wait in the same place.
    var kinds: [[String]: Int] = [:]
    var groups: [(thread: InspectedThread, others: [Int32])] = []
    for thread in history?.sorted(shown) ?? shown {
      let kind = [InspectionWords.activity(thread.activity)] + thread.frames.map(\.offset)
      if !isFull, let known = kinds[kind] {
        groups[known].others.append(thread.thread)
      } else {
        kinds[kind] = groups.count
        groups.append((thread, []))
      }
    }
    return [title]
      + groups.flatMap { thread, others -> [Line] in
        var line = Line("  thread \(thread.thread) ", .bold)
        line.append(page.safe("'\(thread.name)'  "))
        line.append(page.safe(InspectionWords.activity(thread.activity)))
        line.append(stay(history?.time(of: thread), page), .dim)
        return [line.cut(to: page.width, ellipsis: page.glyphs.ellipsis)]
          + frames(thread.frames, thread.gap, "      ", page)
          + like("thread", others.map { "\($0)" }, "      ", page)
      }
  }

  /// Returns the words for a time in the same place, or nothing if it is shorter than a second.
  private func stay(_ time: Int?, _ page: Page) -> String {
    guard let time, time >= 1_000_000_000 else { return "" }
    return "  (in the same place for \(page.duration(Nanoseconds(UInt64(time)))))"
  }

  /// Returns the line about things that differ from the one above only in their numbers.
  private func like(
    _ kind: String, _ numbers: [String], _ indent: String, _ page: Page
  ) -> [Line] {
    guard !numbers.isEmpty else { return [] }
    let list = numbers.prefix(Self.maxNumbers).joined(separator: ", ")
    let rest = numbers.count > Self.maxNumbers ? ", \(page.glyphs.ellipsis)" : ""
    let line = Line(
      "\(indent)+\(CountText.make(numbers.count, kind)) like it: \(list)\(rest)", .dim)
    return [line.cut(to: page.width, ellipsis: page.glyphs.ellipsis)]
  }
}

extension InspectedFrame {
  /// Returns whether a frame looks the same as another one in a report.
  fileprivate func hasSameText(as other: InspectedFrame) -> Bool {
    function == other.function && source == other.source
      && (function != nil || offset == other.offset)
  }
}
