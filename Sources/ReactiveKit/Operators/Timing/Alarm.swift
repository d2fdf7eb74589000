/// The one timer of a time-based operator: setting it again calls off the time before, and it goes with the chain.
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

  /// An action runs in the context in which it was set, unless what it sends has contexts of its own.
  init(_ scheduler: some TimedScheduler, _ chain: ChainDisposable, carriesContext: Bool = true) {
    self.scheduler = scheduler
    self.carriesContext = carriesContext
    chain.attach(self)
  }

  var now: UInt64 { scheduler.now }

  /// Runs `action` in `delay` nanoseconds, unless the chain is disposed before.
  func set(after delay: UInt64, _ action: @escaping () -> Void) {
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.isClosed ? 0 : state.lastNumber
    }
    guard number > 0 else { return }
    let timer = scheduler.schedule(
      after: delay, carriesContext ? Tracing.carrying(action) : action)
    // A short timer may have fired by now, on another thread, and have set the next one: that one is to stay.
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
