package import ReactiveKit
package import Testing

/// A stage with virtual time, and with sources and subscriptions that live in it.
package final class Stage {
  package let time = VirtualScheduler()

  package init() {}

  package func cold(_ marbles: String) -> TestSource {
    TestSource(cold: marbles, time)
  }

  package func hot(_ marbles: String) -> TestSource {
    TestSource(hot: marbles, time)
  }

  /// Subscribes now, and returns a watch that draws the events.
  package func watch<S: SignalProtocol>(_ signal: S) -> Watch {
    let watch = Watch()
    watch.disposable.otherDisposable = signal.observe { [time] event in
      watch.note(event, time.second)
    }
    return watch
  }

  /// Runs an action at a second of virtual time.
  package func at(_ second: Int, _ action: @escaping () -> Void) {
    _ = time.schedule(after: UInt64(second - time.second) * 1_000_000_000, action)
  }

  /// Runs virtual time until no work is left, and returns the events of `signal`, drawn.
  package func play<S: SignalProtocol>(_ signal: S, disposeAt second: Int? = nil) -> String {
    let watch = watch(signal)
    if let second { at(second) { watch.dispose() } }
    time.run()
    return watch.drawn
  }
}

/// The events of a subscription with their times.
package final class Watch {
  private let log = Locked<[TimedEvent]>([])
  let disposable = SerialDisposable(otherDisposable: nil)

  func note<Element, Error>(_ event: Signal<Element, Error>.Event, _ second: Int) {
    let noted: TimedEvent.Event =
      switch event {
      case .next(let element): .next("\(element)")
      case .failed: .failed(TestError())
      case .completed: .completed
      }
    log.withLock { $0.append(TimedEvent(second, noted)) }
  }

  package func dispose() {
    disposable.dispose()
  }

  /// The events so far as a marble string.
  package var drawn: String {
    Marbles.draw(log.withLock { $0 })
  }
}

/// Runs a test on its own stage, and fails the test if work is still pending on the stage at
/// the end.
package func onStage<Result>(
  sourceLocation: SourceLocation = #_sourceLocation, _ body: (Stage) throws -> Result
) rethrows -> Result {
  let stage = Stage()
  let result = try body(stage)
  let pending = stage.time.pendingCount
  if pending > 0 {
    Issue.record("\(pending) scheduled actions are still pending", sourceLocation: sourceLocation)
  }
  return result
}

/// Plays a marble string as a signal, transforms it with the closure, and returns the resulting
/// events as a marble string.
///
///     marbles("1-1-2|") { $0.removeDuplicates() } == "1---2|"
package func marbles<S: SignalProtocol>(
  _ input: String, disposeAt second: Int? = nil,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ transform: (Signal<String, TestError>) -> S
) -> String {
  onStage(sourceLocation: sourceLocation) { stage in
    stage.play(transform(stage.cold(input).signal), disposeAt: second)
  }
}

extension SignalProtocol where Element == String {
  /// The elements as numbers. An element that is not a number counts as -1.
  package var ints: Signal<Int, Error> {
    map { Int($0) ?? -1 }
  }
}
