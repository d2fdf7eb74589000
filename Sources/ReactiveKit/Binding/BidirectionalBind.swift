extension SignalProtocol where Self: BindableProtocol, Error == Never {
  /// Has this and the target follow each other until the result is disposed or either goes away. Where both have a current
  /// value, the target takes the one of this.
  ///
  /// What was sent on to a side comes back from it as an event, and is not sent back. Each side must send each element that
  /// it is given once, as properties and subjects do.
  @discardableResult
  public func bidirectionalBind<B: BindableProtocol & SignalProtocol>(to target: B)
    -> any Disposable where B.Element == Element, B.Error == Error
  {
    let echoes = Echoes()
    let forth = compactMap { echoes.isEcho(from: .left) ? nil : $0 }
    let back = target.compactMap { echoes.isEcho(from: .right) ? nil : $0 }
    let left = target.bind(signal: forth)
    echoes.beginJoining()
    let right = bind(signal: back)
    echoes.endJoining()
    return CompositeDisposable([left, right])
  }
}

/// Tells the events that a binding caused itself from those that others caused.
private final class Echoes {
  enum Side {
    case left, right
  }

  private struct State {
    // How many events of each side will be echoes.
    var expectedFromLeft = 0
    var expectedFromRight = 0
    // While the right side is being observed for the first time, what it sends is its current value: what it was just given,
    // if the left side had something to give.
    var hasJoined = false
    var isJoining = false
    var hasGiven = false
  }

  private let state = Locked(State())

  /// Whether the event that a side sends is an echo; if not, it will be sent on, and there will be an echo of it.
  func isEcho(from side: Side) -> Bool {
    state.withLock { state in
      switch side {
      case .left:
        if state.expectedFromLeft > 0 {
          state.expectedFromLeft -= 1
          return true
        }
        state.hasGiven = true
        if state.hasJoined { state.expectedFromRight += 1 }
      case .right:
        if state.isJoining, state.hasGiven { return true }
        if state.expectedFromRight > 0 {
          state.expectedFromRight -= 1
          return true
        }
        state.expectedFromLeft += 1
      }
      return false
    }
  }

  func beginJoining() {
    state.withLock { $0.isJoining = true }
  }

  func endJoining() {
    state.withLock { state in
      state.isJoining = false
      state.hasJoined = true
    }
  }
}
