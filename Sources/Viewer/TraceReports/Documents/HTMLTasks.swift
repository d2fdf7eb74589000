import TraceAnalysis
import TraceFormat
import TraceWords
import ViewerConsole

/// What the tasks in an HTML report do: their waits, and for what they wait at the end.
struct HTMLTasks {
  private let log: LogAnalysis
  /// The indices in `LogAnalysis.lifecycles` of the subscriptions that have a bar.
  private let members: [Int]
  private let scale: TimeScale
  private let words: TaskWords
  private let awaited: AwaitedLanes
  /// A Boolean value that indicates whether there are too many waits to draw one by one.
  private let isSummed: Bool

  /// The maximum number of waits. More would make the page slow.
  private static let maxWaits = 60_000
  /// The number of time ranges that replace the waits of each task, at most.
  private static let maxColumns = 400

  init(_ excerpt: LogExcerpt, _ members: [Int]) {
    let log = excerpt.log
    self.log = log
    self.members = members
    words = TaskWords(log, Page(width: .max / 2, glyphs: .unicode))
    awaited = AwaitedLanes(log, WaitGraph(log))
    let tasks = members.filter { log.lifecycles[$0].isTask }
    var count = 0
    for index in tasks where count <= Self.maxWaits {
      count += log.waits(of: index, maxCount: Self.maxWaits + 1).count
    }
    isSummed = count > Self.maxWaits
    scale = TimeScale(
      excerpt.times, columns: max(16, min(Self.maxColumns, Self.maxWaits / max(1, tasks.count))))
  }

  /// Writes an object for each task about which something is known. Subscriptions are indices in
  /// `subs`.
  ///
  /// `spans` has three numbers for each wait: the time from the beginning of the task, the length
  /// and the kind. A number from 10 is a time in which the task ran for some percent, plus 10.
  func write(_ writer: inout JSONWriter) {
    let slots = Dictionary(
      members.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    writer.bool("summed", isSummed)
    writer.array("tasks") { writer in
      for (slot, index) in members.enumerated() where log.lifecycles[index].isTask {
        let sums = log.waitSums(of: index)
        let present = log.presentWait(of: index)
        guard sums != nil || present != nil else { continue }
        writer.object { writer in
          writer.integer("sub", slot)
          if let sums {
            writer.string("waited", words.sums(sums))
            writer.array("spans") { write(isSummed ? summedSpans(index) : spans(index), &$0) }
          }
          if let present {
            writer.string("now", words.sentence(present, of: index))
            writer.array("awaits") { writer in
              for id in present.awaited {
                let other = log.index(of: id, log: Int(log.lifecycles[index].log))
                if let slot = other.flatMap({ slots[$0] }) { writer.integer(nil, slot) }
              }
              let lane = awaited.subscriptions(of: index)
              if lane.count == 1, let slot = slots[lane[0]] { writer.integer(nil, slot) }
            }
          }
        }
      }
    }
  }

  private struct Span {
    let start: Nanoseconds
    let end: Nanoseconds
    let kind: Int
  }

  private func write(_ spans: [Span], _ writer: inout JSONWriter) {
    for span in spans {
      writer.integer(nil, span.start.count)
      writer.integer(nil, span.end.since(span.start).count)
      writer.integer(nil, span.kind)
    }
  }

  /// Returns each wait, relative to the beginning of the task.
  private func spans(_ index: Int) -> [Span] {
    let lifecycle = log.lifecycles[index]
    let last = log.lastMoment(of: lifecycle)
    return log.waits(of: index).map { wait in
      Span(
        start: wait.start.since(lifecycle.start),
        end: (wait.end ?? last).since(lifecycle.start), kind: Self.kind(wait.wait))
    }
  }

  /// Returns spans that say for time ranges what the task mostly does.
  private func summedSpans(_ index: Int) -> [Span] {
    let lifecycle = log.lifecycles[index]
    let last = log.lastMoment(of: lifecycle)
    let first = scale.column(of: lifecycle.start)
    let cells = log.taskCells(of: index, first...max(first, scale.column(of: last)), scale)
    var spans: [Span] = []
    for (offset, cell) in cells.enumerated() {
      let kind: Int
      switch cell {
      case .runs: continue
      case .waits(let wait): kind = Self.kind(wait)
      case .mixed(let percent): kind = 10 + percent
      }
      let start = max(scale.start(of: first + offset), lifecycle.start).since(lifecycle.start)
      let end = min(scale.start(of: first + offset + 1), last).since(lifecycle.start)
      if let before = spans.last, before.kind == kind, before.end == start {
        spans[spans.count - 1] = Span(start: before.start, end: end, kind: kind)
      } else {
        spans.append(Span(start: start, end: end, kind: kind))
      }
    }
    return spans
  }

  /// The kinds as the page counts them (`waitKinds` in `tasks.js`).
  private static func kind(_ wait: UnfinishedTask.Wait?) -> Int {
    switch wait {
    case nil: 0
    case .continuation: 1
    case .task: 2
    case .group: 3
    case .executor: 4
    }
  }
}
