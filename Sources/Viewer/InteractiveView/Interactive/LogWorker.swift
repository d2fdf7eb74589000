import Dispatch
import Synchronization
import SystemLibrary
package import TraceAnalysis
import TraceWords

/// A worker that reads, checks and arranges a log on its own queue, so that drawing doesn't wait.
///
/// Its results go to the message queue.
package final class LogWorker: Sendable {
  /// Only the worker's queue changes the state, so it may be copied, changed and stored again.
  private struct State {
    var progress: LogProgress
    var arranger = LogArranger()
    /// The number of checks until unused memory is given back, or `nil` if it was given back since
    /// the log was last arranged.
    var checksUntilTrim: Int?

    var reading: ReadingState { progress.reading(arranger.snapshot) }

    /// Counts a check, and returns whether unused memory is to be given back now.
    mutating func shouldTrim() -> Bool {
      checksUntilTrim = checksUntilTrim.map { $0 - 1 }
      guard checksUntilTrim == 0 else { return false }
      checksUntilTrim = nil
      return true
    }
  }

  private let queue = DispatchQueue(label: "trace-viewer.log", qos: .userInitiated)
  private let source: BlockingMutex<GrowingLog>
  private let state: BlockingMutex<State>
  private let messageQueue: MessageQueue
  private let rules: RuleSettings
  private let follows: Bool
  private let summaryQueue = DispatchQueue(label: "trace-viewer.summary", qos: .userInitiated)
  private let summaries = Atomic(0)
  private let growths = Atomic(0)
  private let shouldStop = BlockingMutex(false)
  private let found = BlockingMutex<[LogError]>([])

  /// The pause in milliseconds before the next attempt to read a log that hasn't grown: at first,
  /// and after `maxShortPauses` attempts.
  private static let pause = (first: 50, later: 200)
  private static let maxShortPauses = 40
  /// The time in milliseconds between two checks of the files of a log that was read.
  private static let watchPause = 1000
  /// The number of checks after the log was arranged before memory is given back. The first one can
  /// come before the former rows are freed, because the view still shows them. With a million
  /// subscriptions, the view then has 268 MB instead of 350.
  private static let checksBeforeTrim = 2

  package init(
    _ source: sending GrowingLog, _ rules: RuleSettings, follows: Bool, _ messageQueue: MessageQueue
  ) {
    self.source = BlockingMutex(source)
    state = BlockingMutex(State(progress: LogProgress(follows: follows)))
    self.rules = rules
    self.follows = follows
    self.messageQueue = messageQueue
  }

  /// Starts to read, and arranges the log as the viewer wants.
  package func start(_ viewer: Viewer) {
    state.withLock { $0.arranger.arrangement = viewer.feed.arrangement }
    start()
  }

  func start() {
    MemoryOfReading.keepNoLargeBlocks()
    queue.async { self.advance(idle: 0) }
  }

  /// Stops reading.
  func stop() {
    shouldStop.withLock { $0 = true }
  }

  /// The errors of files that couldn't be read so far. They are complete when everything is read.
  package var errors: [LogError] { found.withLock { $0 } }

  /// Arranges the log.
  ///
  /// - Parameter frozen: The snapshot to show, or `nil` for the latest one.
  func arrange(_ arrangement: Arrangement, of frozen: LogSnapshot?) {
    queue.async {
      self.state.withLock {
        $0.arranger.arrangement = arrangement
        $0.checksUntilTrim = Self.checksBeforeTrim
      }
      guard let frozen else { return self.show() }
      let viewed = ViewedLog(frozen, self.rules, arrangement)
      self.messageQueue.post(.arranged(viewed, self.reading))
    }
  }

  /// Computes the statistics of the shown part in a range of times, or in the whole time. If
  /// several requests wait, only the last one runs.
  func summarize(_ viewed: ViewedLog, in range: TimeRange?) {
    let number = summaries.wrappingAdd(1, ordering: .relaxed).newValue
    summaryQueue.async {
      guard self.summaries.load(ordering: .relaxed) == number else { return }
      let lanes = viewed.summaries(in: range)
      self.messageQueue.post(.summarized(lanes, of: SummaryKey(viewed, range: range)))
    }
  }

  /// Finds what grew in a range of times. If several requests wait, only the last one runs.
  func findGrowth(_ viewed: ViewedLog, in range: TimeRange) {
    let number = growths.wrappingAdd(1, ordering: .relaxed).newValue
    summaryQueue.async {
      guard self.growths.load(ordering: .relaxed) == number else { return }
      let rows = viewed.growth(in: range)
      self.messageQueue.post(.grew(rows, of: SummaryKey(viewed, range: range)))
    }
  }

  /// Reads the next records and schedules the next call.
  ///
  /// - Parameter idle: The number of attempts since records were last read.
  private func advance(idle: Int) {
    guard !shouldStop.withLock({ $0 }) else { return }
    let start = ContinuousClock.now
    let (result, isGone) = source.withLock { source in (source.result(), source.isGone) }
    switch result {
    case .success(let snapshot?): found.withLock { $0 = snapshot.errors }
    case .success(nil): break
    case .failure(let error): found.withLock { $0 = [error] }
    }
    let (action, isOverdue) = state.withLock { state in
      if case .success(let snapshot?) = result { state.arranger.take(snapshot) }
      let action = state.progress.take(.init(result), isGone: isGone)
      guard case .success(nil) = result else { return (action, false) }
      return (action, state.arranger.isOverdue)
    }
    if isOverdue || action.update == .show { show() }
    if action.update == .report { messageQueue.post(.progressed(reading)) }
    switch action.next {
    case .read:
      // Updating the view takes time too, and user input must not wait for it. The updates of a
      // growing log take no more than a fifth of the time, as long as one takes at most 250 ms.
      let cost = Int(start.duration(to: .now) / .milliseconds(1))
      advance(idle: 0, after: follows ? min(max(30, 4 * cost), 1000) : 0)
    case .retry:
      let pause = idle < Self.maxShortPauses ? Self.pause.first : Self.pause.later
      advance(idle: idle + 1, after: pause)
    case .watch:
      MemoryOfReading.giveBack()
      watch(ReadContent(state.withLock { $0.arranger.snapshot.analysis }))
    }
  }

  private func advance(idle: Int, after milliseconds: Int) {
    queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { self.advance(idle: idle) }
  }

  /// Checks from time to time whether the records that were read are still in the files, because
  /// the viewer reads events again when it shows them.
  private func watch(_ content: ReadContent) {
    queue.asyncAfter(deadline: .now() + .milliseconds(Self.watchPause)) {
      guard !self.shouldStop.withLock({ $0 }) else { return }
      if self.state.withLock({ $0.shouldTrim() }) { MemoryOfReading.giveBack() }
      guard let change = content.change else { return self.watch(content) }
      let reading = self.state.withLock { state in
        state.progress.change(change.notice)
        return state.reading
      }
      self.messageQueue.post(.progressed(reading))
    }
  }

  private func show() {
    var (arranger, reading) = state.withLock { ($0.arranger, $0.reading) }
    let viewed = arranger.viewed(rules)
    state.withLock { $0.arranger = arranger }
    messageQueue.post(.arranged(viewed, reading))
  }

  private var reading: ReadingState { state.withLock { $0.reading } }
}

extension GrowingLog {
  /// Reads the next batch, and returns the current state of the logs, nil if nothing is new, or the
  /// error.
  fileprivate func result() -> Result<LogSnapshot?, LogError> {
    do throws(LogError) { return .success(try advance()) } catch { return .failure(error) }
  }
}

extension LogProgress.Attempt {
  fileprivate init(_ result: Result<LogSnapshot?, LogError>) {
    switch result {
    case .success(let snapshot?):
      self = .records(total: snapshot.analysis.records, isComplete: snapshot.isComplete)
    case .success(nil): self = .nothing
    case .failure(let error): self = .failure("\(error.file): \(error.sentence)")
    }
  }
}

extension LogError {
  /// The error as text for the status, which has one line. It doesn't contain the folders of the
  /// file, because they would take up the space of the sentence.
  var notice: String {
    let name = file.split(separator: "/").last.map(String.init) ?? file
    return "\(name): \(sentence)"
  }
}
