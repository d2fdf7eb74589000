import Dispatch
import Synchronization
import SystemLibrary
package import TraceAnalysis
import TraceWords

/// A worker that reads, judges and arranges a log away from the thread that draws.
///
/// All of its state belongs to its queue. Results go to the message queue.
package final class LogWorker: Sendable {
  private struct State {
    var source: GrowingLog
    var snapshot = LogSnapshot.empty
    var verdict = Verdict(.empty)
    /// The revision of the log that the verdict is about.
    var judged = -1
    var arrangement = Arrangement()
    /// The result of applying the filter to elements, with the revision of the log that it is
    /// about.
    var included: Included?
    /// The number of restarts of the log that `included` is about.
    var restarts = 0
    var rate = RecordRate()
    var isDone = false
    var problem: String?
    var isGone = false
    var change: String?
  }

  private struct Included {
    let filter: ViewFilter
    let revision: Int
    var values: [Bool]
    let end: ContinuousClock.Instant
    /// The time it took to apply the filter.
    let cost: Duration
  }

  private let queue = DispatchQueue(label: "trace-viewer.log", qos: .userInitiated)
  private let state: BlockingMutex<State>
  private let messageQueue: MessageQueue
  private let rules: RuleSettings
  private let follows: Bool
  private let summaryQueue = DispatchQueue(label: "trace-viewer.summary", qos: .userInitiated)
  private let summaries = Atomic(0)
  private let shouldStop = BlockingMutex(false)
  private let found = BlockingMutex<[LogError]>([])

  /// The pause in milliseconds before the next read of a log that does not grow: at first, and
  /// after a longer time without records.
  private static let pause = (first: 50, later: 200)
  /// The time in milliseconds between two checks of the files of a log that was read.
  private static let watchPause = 1000

  package init(
    _ source: sending GrowingLog, _ rules: RuleSettings, follows: Bool, _ messageQueue: MessageQueue
  ) {
    state = BlockingMutex(State(source: source))
    self.rules = rules
    self.follows = follows
    self.messageQueue = messageQueue
  }

  package func start() {
    queue.async { self.advance(idle: 0) }
  }

  /// Stops reading.
  func stop() {
    shouldStop.withLock { $0 = true }
  }

  /// The errors of files that could not be read. They are complete when everything is read. The
  /// property does not wait for that.
  package var errors: [LogError] { found.withLock { $0 } }

  /// Arranges the log.
  ///
  /// - Parameter frozen: The snapshot of the log that stays in view, or `nil` for the latest one.
  func arrange(_ arrangement: Arrangement, of frozen: LogSnapshot?) {
    queue.async {
      self.state.withLock { state in
        state.arrangement = arrangement
        guard let frozen else { return self.show(&state) }
        let isIncluded = arrangement.filter.matchesOfEvents(in: frozen.analysis)
        let viewed = ViewedLog(frozen, self.rules, arrangement, isIncluded: isIncluded)
        self.messageQueue.post(.arranged(viewed, self.reading(state)))
      }
    }
  }

  /// Computes the statistics of the shown part. If several requests wait, only the last one runs.
  func summarize(_ viewed: ViewedLog) {
    let number = summaries.wrappingAdd(1, ordering: .relaxed).newValue
    summaryQueue.async {
      guard self.summaries.load(ordering: .relaxed) == number else { return }
      let lanes = LaneSummary.lanes(of: viewed.excerpt, viewed.snapshot.elements)
      self.messageQueue.post(.summarized(lanes, of: SummaryKey(viewed)))
    }
  }

  /// Reads the next piece and schedules the next call.
  private func advance(idle: Int) {
    guard !shouldStop.withLock({ $0 }) else { return }
    let start = ContinuousClock.now
    let isNew = state.withLock { state in
      do throws(LogError) {
        guard let snapshot = try state.source.advance() else {
          if !self.follows { state.isDone = true }
          if self.isOverdue(state) { self.show(&state) }
          // The rate goes down while no records arrive.
          let wasGone = state.isGone
          state.isGone = state.source.isGone
          if state.rate.measure(state.snapshot.analysis.records) || state.isGone != wasGone {
            self.messageQueue.post(.progressed(self.reading(state)))
          }
          return false
        }
        let revision = state.snapshot.revision + 1
        state.snapshot = snapshot
        state.snapshot.revision = revision
        state.problem = nil
        state.isGone = state.source.isGone
        _ = state.rate.measure(snapshot.analysis.records)
        if snapshot.isComplete, !self.follows { state.isDone = true }
        self.found.withLock { $0 = snapshot.errors }
      } catch {
        // While following, a problem may be solved: permissions may change, or another file may
        // take its place.
        let problem = "\(error.file): \(error.sentence)"
        let isNew = state.problem != problem
        state.isDone = !self.follows
        state.problem = problem
        self.found.withLock { $0 = [error] }
        if isNew { self.show(&state) }
        return false
      }
      self.show(&state)
      return true
    }
    if state.withLock({ $0.isDone }) {
      MemoryOfReading.giveBack()
      watch(ReadContent(state.withLock { $0.snapshot.analysis }))
      return
    }
    if isNew {
      // Updating the view takes time too, and user input must not wait for it. The updates of a
      // growing log take no more than a fifth of the time, as long as one takes at most 250 ms.
      let cost = Int(start.duration(to: .now) / .milliseconds(1))
      let pause = follows ? min(max(30, 4 * cost), 1000) : 0
      queue.asyncAfter(deadline: .now() + .milliseconds(pause)) { self.advance(idle: 0) }
    } else {
      let pause = idle < 40 ? Self.pause.first : Self.pause.later
      queue.asyncAfter(deadline: .now() + .milliseconds(pause)) { self.advance(idle: idle + 1) }
    }
  }

  /// Checks from time to time whether the records that were read are still in the files, because
  /// the viewer reads events again when it shows them.
  private func watch(_ content: ReadContent) {
    queue.asyncAfter(deadline: .now() + .milliseconds(Self.watchPause)) {
      guard !self.shouldStop.withLock({ $0 }) else { return }
      let hasChanged = self.state.withLock { state in
        guard let change = content.change else { return false }
        state.change = change.notice
        self.messageQueue.post(.progressed(self.reading(state)))
        return true
      }
      if !hasChanged { self.watch(content) }
    }
  }

  private func show(_ state: inout State) {
    let snapshot = state.snapshot
    if state.judged != snapshot.revision {
      state.verdict = Verdict(snapshot.analysis, rules)
      state.judged = snapshot.revision
    }
    let viewed = ViewedLog(
      snapshot, state.verdict, state.arrangement, isIncluded: included(&state))
    messageQueue.post(.arranged(viewed, reading(state)))
  }

  /// Returns whether each subscription passes the filter on elements, or `nil` if the filter does
  /// not depend on elements.
  ///
  /// In a growing log, all elements are read again, but only so often that it takes a tenth of the
  /// time. Until then, newer subscriptions do not pass.
  private func included(_ state: inout State) -> [Bool]? {
    let filter = state.arrangement.filter
    guard filter.needsEvents else {
      state.included = nil
      return nil
    }
    let snapshot = state.snapshot
    let start = ContinuousClock.now
    if var known = state.included, known.filter == filter,
      known.revision == snapshot.revision || start < known.end.advanced(by: known.cost * 10),
      known.values.count <= snapshot.analysis.lifecycles.count, snapshot.restarts == state.restarts
    {
      let missing = snapshot.analysis.lifecycles.count - known.values.count
      known.values += repeatElement(false, count: missing)
      return known.values
    }
    let values = filter.matchesOfEvents(in: snapshot.analysis) ?? []
    state.restarts = snapshot.restarts
    state.included = Included(
      filter: filter, revision: snapshot.revision, values: values, end: .now,
      cost: start.duration(to: .now))
    return values
  }

  /// Reports whether the filter result is older than the records that were read and may be computed
  /// again now.
  private func isOverdue(_ state: State) -> Bool {
    guard let known = state.included else { return false }
    return known.revision != state.snapshot.revision
      && .now >= known.end.advanced(by: known.cost * 10)
  }

  private func reading(_ state: State) -> ReadingState {
    ReadingState(
      bytesRead: state.snapshot.bytesRead, bytesTotal: state.snapshot.bytesTotal,
      isComplete: state.isDone, follows: follows,
      rate: follows ? state.rate.value : nil,
      problem: state.problem ?? (follows ? state.snapshot.errors.first?.sentence : nil),
      isGone: state.isGone, change: state.change)
  }
}

/// The number of records per second, over about the last second.
struct RecordRate: Sendable {
  private var start: (time: ContinuousClock.Instant, records: Int)?
  private(set) var value: Int?

  /// Measures the rate and returns whether it changed.
  mutating func measure(_ records: Int, at now: ContinuousClock.Instant = .now) -> Bool {
    guard let start, records >= start.records else {
      start = (now, records)
      return false
    }
    let time = start.time.duration(to: now)
    guard time >= .seconds(1) else { return false }
    let rate = Int(Double(records - start.records) / (time / .seconds(1)))
    self.start = (now, records)
    defer { value = rate }
    return value != rate
  }
}

extension LogError {
  /// The error as text for the one-line status. It contains only the name of the file, because the
  /// folders would take up the room of the sentence.
  var notice: String {
    let name = file.split(separator: "/").last.map(String.init) ?? file
    return "\(name): \(sentence)"
  }
}
