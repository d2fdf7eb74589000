import TraceAnalysis

/// The progress of a worker that reads a log. After each attempt to read, it decides what the
/// worker posts and when the worker continues.
///
///     reading    ends with the last records, with a problem, or if there is nothing to read
///        |
///     finished   until the files change
///        |
///     changed
///
///     following  never ends, because more records may come and problems may be solved
struct LogProgress {
  private enum Phase {
    case reading
    case following(problem: String?, isGone: Bool)
    case finished(problem: String?)
    /// The files no longer contain what was read.
    case changed(String, problem: String?)
  }

  /// The result of an attempt to read the next records.
  enum Attempt {
    /// `total` is the number of all records that were read so far.
    case records(total: Int, isComplete: Bool)
    case nothing
    case failure(String)
  }

  struct Action: Equatable {
    enum Update {
      /// Show the log, because it has new records or a new problem.
      case show
      /// Report the progress, because the rate changed, or the file disappeared from its path or
      /// reappeared there.
      case report
      case nothing
    }

    enum Next {
      /// Read again as soon as the user had time to use the updated view.
      case read
      /// Try to read again after a pause.
      case retry
      /// Watch the files, because everything was read.
      case watch
    }

    var update: Update
    var next: Next
  }

  private var phase: Phase
  private var records = 0
  private var rate = RecordRate()

  init(follows: Bool) {
    phase = follows ? .following(problem: nil, isGone: false) : .reading
  }

  /// Takes the result of an attempt to read.
  ///
  /// - Parameter isGone: True if the followed file is no longer at its path.
  mutating func take(
    _ attempt: Attempt, isGone: Bool, at now: ContinuousClock.Instant = .now
  ) -> Action {
    switch attempt {
    case .records(let total, let isComplete):
      records = total
      _ = rate.measure(total, at: now)
      switch phase {
      case .following:
        phase = .following(problem: nil, isGone: isGone)
        return Action(update: .show, next: .read)
      case .reading where !isComplete:
        return Action(update: .show, next: .read)
      case .reading, .finished, .changed:
        phase = .finished(problem: nil)
        return Action(update: .show, next: .watch)
      }
    case .nothing:
      // The rate decreases while no records arrive.
      var hasChanged = rate.measure(records, at: now)
      guard case .following(let problem, let wasGone) = phase else {
        phase = .finished(problem: problem)
        return Action(update: hasChanged ? .report : .nothing, next: .watch)
      }
      phase = .following(problem: problem, isGone: isGone)
      hasChanged = hasChanged || isGone != wasGone
      return Action(update: hasChanged ? .report : .nothing, next: .retry)
    case .failure(let new):
      let update: Action.Update = problem == new ? .nothing : .show
      guard case .following(_, let wasGone) = phase else {
        phase = .finished(problem: new)
        return Action(update: update, next: .watch)
      }
      // The problem may be solved: permissions may change, or another file may take its place.
      phase = .following(problem: new, isGone: wasGone)
      return Action(update: update, next: .retry)
    }
  }

  /// Notes that the files no longer contain what was read.
  mutating func change(_ notice: String) {
    phase = .changed(notice, problem: problem)
  }

  /// Returns the progress to show with the latest snapshot.
  func reading(_ snapshot: LogSnapshot) -> ReadingState {
    var state = ReadingState(bytesRead: snapshot.bytesRead, bytesTotal: snapshot.bytesTotal)
    state.problem = problem
    switch phase {
    case .reading: break
    case .following(_, let isGone):
      state.follows = true
      state.isGone = isGone
      state.rate = rate.value
      state.problem = problem ?? snapshot.errors.first?.sentence
    case .finished: state.isComplete = true
    case .changed(let notice, _):
      state.isComplete = true
      state.change = notice
    }
    return state
  }

  private var problem: String? {
    switch phase {
    case .reading: nil
    case .following(let problem, _), .finished(let problem), .changed(_, let problem): problem
    }
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
    let seconds = time / .seconds(1)
    let rate = Int(Double(records - start.records) / seconds)
    self.start = (now, records)
    defer { value = rate }
    return value != rate
  }
}
