import Dispatch

extension SignalProtocol {
  /// Blocks the calling thread until the signal ends, and returns its events.
  ///
  /// Never returns if the signal needs this thread to end.
  public func waitAndCollectEvents() -> [Signal<Element, Error>.Event] {
    let events = Locked<[Signal<Element, Error>.Event]>([])
    let collected = Box(events)
    let end = DispatchSemaphore(value: 0)
    let disposable = observe { event in
      collected.locked.withLock { $0.append(event) }
      if event.isTerminal { end.signal() }
    }
    end.wait()
    disposable.dispose()
    return collected.locked.withLock { $0 }
  }

  /// Blocks the calling thread until the signal ends, and returns its elements.
  public func waitAndCollectElements() -> [Element] {
    waitAndCollectEvents().compactMap(\.element)
  }
}

private final class Box<Value> {
  let locked: Locked<Value>

  init(_ locked: consuming Locked<Value>) {
    self.locked = locked
  }
}
