extension SignalProtocol where Self: BindableProtocol, Error == Never {
  /// Has this and the target follow each other until the result is disposed or either goes away. Where both have a current
  /// value, the target takes the one of this.
  ///
  /// What was sent on to a side comes back from it as an event, and is not sent back. Each side must send each element that
  /// it is given once, as properties and subjects do. Where both are sent to at the same time, one of the two elements may
  /// not reach the other side, and properties end equal.
  @discardableResult
  public func bidirectionalBind<B: BindableProtocol & SignalProtocol>(to target: B)
    -> any Disposable where B.Element == Element, B.Error == Error
  {
    let echoes = Echoes<Element>()
    let back = PassthroughSubject<Element, Never>()
    let followingBack = bind(signal: back.toSignal())
    // The target first, so that it is known what comes back from it.
    let watching = target.observeNext { element in
      if !echoes.isEcho(fromTarget: element) { back.send(element) }
    }
    let following = target.bind(signal: filter { _ in !echoes.isEchoFromSource() })
    for element in echoes.endJoining() { back.send(element) }
    return CompositeDisposable([followingBack, watching, following])
  }
}

/// Tells the events that a binding caused itself from those that others caused.
private final class Echoes<Element> {
  private struct State {
    // How many events of each side will be echoes.
    var expectedFromSource = 0
    var expectedFromTarget = 0
    // Until both sides are observed, what the target sends waits.
    var isJoining = true
    var waiting: [Element] = []
    var hasSourceSent = false
  }

  private let state = Locked(State())

  /// Whether the event that the source sends is an echo; if not, it is sent on, and there will be an echo of it.
  func isEchoFromSource() -> Bool {
    let (isEcho, outdated) = state.withLock { state -> (Bool, [Element]) in
      if state.expectedFromSource > 0 {
        state.expectedFromSource -= 1
        return (true, [])
      }
      state.expectedFromTarget += 1
      // What the target had before the source sent something gives way to it.
      let outdated = state.isJoining && !state.hasSourceSent ? state.waiting : []
      if !outdated.isEmpty { state.waiting = [] }
      state.hasSourceSent = true
      return (false, outdated)
    }
    withExtendedLifetime(outdated) {}
    return isEcho
  }

  /// The same for the target; what is no echo while the binding is being made waits for `endJoining`.
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

  /// What waited, to be sent to the source.
  func endJoining() -> [Element] {
    state.withLock { state in
      state.isJoining = false
      state.expectedFromSource += state.waiting.count
      defer { state.waiting = [] }
      return state.waiting
    }
  }
}
