package import TerminalUI
package import TraceAnalysis
import TraceFormat
import TraceWords
package import ViewerConsole

/// The log of an inspection as text: the most probable causes, then the tree of who waits for whom,
/// then the threads.
package struct InspectionView {
  private let analysis: LogAnalysis
  /// The index of the log.
  private let number: Int
  private let log: TraceLog
  private let process: InspectedProcess
  /// A Boolean value that indicates whether to show everything, and not only the user's code.
  private let isFull: Bool
  private let isHang: Bool

  /// Creates the view of a log, or returns nil if the log isn't one of an inspection.
  init?(_ number: Int, of analysis: LogAnalysis, isFull: Bool, isHang: Bool = false) {
    guard let process = analysis.logs[number].inspection else { return nil }
    self.analysis = analysis
    self.number = number
    log = analysis.logs[number]
    self.process = process
    self.isFull = isFull
    self.isHang = isHang
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
    Self.joined([
      header(page), findings(page),
      TaskTreeView(inspection: number, of: analysis, isFull: isFull).lines(page), threads(page),
    ])
  }

  /// Returns everything except the causes.
  func scene(_ page: Page) -> [Line] {
    Self.joined([
      header(page), TaskTreeView(inspection: number, of: analysis, isFull: isFull).lines(page),
      threads(page),
    ])
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

  // MARK: Header and findings

  private func header(_ page: Page) -> [Line] {
    var line = Line("PROCESS \(log.header?.pid ?? 0)  ", .bold)
    let command = process.command.joined(separator: " ")
    line.append(page.cut(page.safeBeginning(command), to: max(16, page.width - line.columns)))
    let doubt = InspectionWords.doubt(process)
    return [line] + (doubt.map { page.wrap($0, .dim) } ?? [])
  }

  /// The causes, each with what it says.
  var sentences: [(hang: Hang, sentence: String)] {
    process.hangs.map { ($0, HangWords.sentence($0, in: log, isHang: isHang)) }
  }

  /// Returns the causes.
  ///
  /// - Parameter namesProcess: Whether the titles have the number of the process.
  func findings(_ page: Page, namesProcess: Bool = false) -> [Line] {
    Self.joined(
      sentences.map { hang, sentence in
        let title = hang.isProven ? "CAUSE" : "MOST PROBABLE CAUSE"
        var lines = [Line(title, Style(color: .red, isBold: true))]
        if namesProcess { lines[0].append("  process \(log.header?.pid ?? 0)", .dim) }
        lines += page.wrap(page.safe(sentence), indent: 2)
        for place in hang.places.map(HangWords.place) where !sentence.contains(place) {
          var line = Line("  - ", .dim)
          line.append(page.cutMiddle(page.safe(place), to: max(16, page.width - 4)))
          lines.append(line)
        }
        return lines
      })
  }

  // MARK: Threads

  private func threads(_ page: Page) -> [Line] {
    // A thread that runs a task is shown with the task.
    let shown = process.threads.filter { thread in
      isFull || thread.task == nil && thread.calls.contains(where: \.isShown)
    }
    guard !shown.isEmpty else { return [] }
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
    return [title]
      + groups.flatMap { thread, others -> [Line] in
        var line = Line("  thread \(thread.thread) ", .bold)
        line.append(page.safe("'\(thread.name)'  "))
        line.append(page.safe(HangWords.activity(thread.activity)))
        let time = TaskWords.stay(log.lastTime.since(thread.since), page)
        line.append(time.map { "  \($0)" } ?? "", .dim)
        return [line.cut(to: page.width, ellipsis: page.glyphs.ellipsis)]
          + Self.calls(thread.calls, isFull, "      ", page)
          + TaskTreeView.like("thread", others.map { "\($0)" }, "      ", page)
      }
  }
}
