extension SignalProtocol where Self: BindableProtocol, Error == Never {
  /// Binds this signal and the target to each other until the result is disposed or either side is
  /// deallocated.
  ///
  /// If both sides have a current value, the target takes the value of this side.
  ///
  /// When the binding forwards an element to a side, that side sends the element again. The binding
  /// recognizes this echo and does not send it back. Each side must send each element that it
  /// receives exactly once, as properties and subjects do. If both sides receive an element at the
  /// same time, one of the two elements might not reach the other side. Two properties still end
  /// with equal values.
  @discardableResult
  public func bidirectionalBind<B: BindableProtocol & SignalProtocol>(to target: B)
    -> any Disposable where B.Element == Element, B.Error == Error
  {
    let echoes = Echoes<Element>()
    let back = PassthroughSubject<Element, Never>()
    let followingBack = bind(signal: back.toSignal())
    // Observe the target first, so that the binding recognizes the target's echoes.
    let watching = target.observeNext { element in
      if !echoes.isEcho(fromTarget: element) { back.send(element) }
    }
    let following = target.bind(signal: filter { _ in !echoes.isEchoFromSource() })
    for element in echoes.endJoining() { back.send(element) }
    return CompositeDisposable([followingBack, watching, following])
  }
}

/// A tracker that distinguishes the events a binding causes from the events that others cause.
private final class Echoes<Element> {
  private struct State {
    // The number of events from each side that will be echoes.
    var expectedFromSource = 0
    var expectedFromTarget = 0
    // Until both sides are observed, elements from the target wait.
    var isJoining = true
    var waiting: [Element] = []
    var hasSourceSent = false
  }

  private let state = Locked(State())

  /// Reports whether the event that the source sends is an echo. If it is not, the caller forwards
  /// the event, and the target will send one echo of it.
  func isEchoFromSource() -> Bool {
    let (isEcho, outdated) = state.withLock { state -> (Bool, [Element]) in
      if state.expectedFromSource > 0 {
        state.expectedFromSource -= 1
        return (true, [])
      }
      state.expectedFromTarget += 1
      // The first element of the source replaces the elements that the target sent before it.
      let outdated = state.isJoining && !state.hasSourceSent ? state.waiting : []
      if !outdated.isEmpty { state.waiting = [] }
      state.hasSourceSent = true
      return (false, outdated)
    }
    withExtendedLifetime(outdated) {}
    return isEcho
  }

  /// Reports whether the element that the target sends is an echo. While the binding is being set
  /// up, an element that is not an echo waits for `endJoining()`, and the result is true.
  func isEcho(fromTarget element: Element) -> Bool {
    state.withLock { state in
      if state.expectedFromTarget > 0 {
        state.expectedFromTarget -= 1
        return true
      }
      if state.isJoining {
        state.waiting.append(element)
        return true
      }
      state.expectedFromSource += 1
      return false
    }
  }

  /// Ends the setup and returns the elements that waited. The caller sends them to the source.
  func endJoining() -> [Element] {
    state.withLock { state in
      state.isJoining = false
      state.expectedFromSource += state.waiting.count
      defer { state.waiting = [] }
      return state.waiting
    }
  }
}

extension Echoes: StoresValues {
  package static var storedValues: [StoredValue] { [.locked("state", State.self)] }
}
