/// The one timer of a time-based operator: setting it again calls off the time before, and it goes with the chain.
final class Alarm {
  private let scheduler: any TimedScheduler
  private let timer = SerialDisposable(otherDisposable: nil)

  init(_ scheduler: some TimedScheduler, _ chain: ChainDisposable) {
    self.scheduler = scheduler
    chain.attach(disposable: timer)
  }

  var now: UInt64 { scheduler.now }

  /// Runs `action` in `delay` nanoseconds, unless the chain is disposed before.
  func set(after delay: UInt64, _ action: @escaping () -> Void) {
    guard !timer.isDisposed else { return }
    timer.otherDisposable = scheduler.schedule(after: delay, action)
  }
}
