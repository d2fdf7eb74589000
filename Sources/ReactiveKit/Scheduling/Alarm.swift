/// The only timer of a time-based operator. Setting it again cancels the previous timer, and
/// disposing the chain cancels it too.
final class Alarm {
  private struct State {
    var isClosed = false
    var lastNumber = 0
    // The number of the timer held.
    var number = 0
    var timer: (any Disposable)?
  }

  private let scheduler: any TimedScheduler
  private let carriesContext: Bool
  private let state = Locked(State())

  /// Creates an alarm that belongs to the chain.
  ///
  /// An action runs in the context in which it was set. Pass false for `carriesContext` if the
  /// events that it sends have their own contexts.
  init(_ scheduler: some TimedScheduler, _ chain: ChainDisposable, carriesContext: Bool = true) {
    self.scheduler = scheduler
    self.carriesContext = carriesContext
    chain.attach(self)
  }

  var now: UInt64 { scheduler.now }

  /// Runs `action` after `delay` nanoseconds, unless the chain is disposed first.
  func set(after delay: UInt64, _ action: @escaping () -> Void) {
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.isClosed ? 0 : state.lastNumber
    }
    guard number > 0 else { return }
    let timer = scheduler.schedule(
      after: delay, carriesContext ? Tracing.carrying(action) : action)
    // A short timer may have fired by now on another thread and set the next timer. Keep that one.
    let outdated = state.withLock { state in
      guard !state.isClosed, state.number < number else { return Optional(timer) }
      let outdated = state.timer
      state.number = number
      state.timer = timer
      return outdated
    }
    outdated?.dispose()
  }
}

extension Alarm: Detachable {
  func detach(_ key: Int) {
    let timer = state.withLock { state in
      state.isClosed = true
      return state.timer.take()
    }
    timer?.dispose()
  }
}

extension Alarm: StoresValues {
  package static var storedValues: [StoredValue] { [.locked("state", State.self)] }
}
