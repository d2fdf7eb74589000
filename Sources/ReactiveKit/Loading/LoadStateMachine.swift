/// The running loads of a property, and the observers that wait for them.
///
/// A round begins with a load while no other load is running. It ends with the last running load.
/// `n` is the number of running loads, and `m` is the number of waiting observers.
///
///                idle            running(n)                      awaited(n, m)
///     begin      running(1)      running(n + 1)                  awaited(n + 1, m)
///     enter      awaited(1, 1)   awaited(n, 1)                   awaited(n, m + 1)
///     leave      -               -                               awaited(n, m - 1), or running(n)
///     end        -               running(n - 1), or idle         awaited(n - 1, m), or idle
///
/// - An observer that enters while the state is idle begins a load. If the property doesn't need
///   one, the state doesn't change.
/// - An observer that leaves after its round has ended doesn't change the state.
/// - If the only running load ends but its property still needs a value, the state doesn't change,
///   because another load takes its place.
struct LoadStateMachine {
  private enum State {
    case idle
    /// No observer waits for the running loads.
    case running(loads: Int)
    /// Observers wait for the running loads and keep the property alive.
    case awaited(loads: Int, observers: Int, property: AnyObject)
  }

  enum EnterAction: Equatable {
    /// Nothing is being loaded, so there is nothing to wait for.
    case observe
    /// The observer waits for the running loads until it leaves with the key.
    case wait(key: Int)
    /// The observer waits for a load that it must start, until it leaves with the key. `isFirst`
    /// is true if the property has never loaded before.
    case load(key: Int, isFirst: Bool)
  }

  enum EndAction {
    /// Release what kept the property alive.
    case release(AnyObject?)
    /// Start another load in place of the one that was about to end.
    case loadAgain
  }

  private var state = State.idle
  /// The number of rounds that have ended, which is also the key of the observers of this round.
  private var round = 0

  init() {}

  /// Begins a load that no observer requested.
  mutating func begin() {
    switch state {
    case .idle: state = .running(loads: 1)
    case .running(let loads): state = .running(loads: loads + 1)
    case .awaited(let loads, let observers, let property):
      state = .awaited(loads: loads + 1, observers: observers, property: property)
    }
  }

  /// Adds an observer of `property`.
  ///
  /// - Parameter needsLoad: True if the property has neither a value nor an error.
  mutating func enter(_ property: AnyObject, needsLoad: Bool) -> EnterAction {
    switch state {
    case .idle:
      guard needsLoad else { return .observe }
      state = .awaited(loads: 1, observers: 1, property: property)
      return .load(key: round, isFirst: round == 0)
    case .running(let loads):
      state = .awaited(loads: loads, observers: 1, property: property)
      return .wait(key: round)
    case .awaited(let loads, let observers, let property):
      state = .awaited(loads: loads, observers: observers + 1, property: property)
      return .wait(key: round)
    }
  }

  /// Removes an observer, and returns what kept the property alive if no other observer waits.
  mutating func leave(_ key: Int) -> AnyObject? {
    guard key == round, case .awaited(let loads, let observers, let property) = state else {
      return nil
    }
    guard observers == 1 else {
      state = .awaited(loads: loads, observers: observers - 1, property: property)
      return nil
    }
    state = .running(loads: loads)
    return property
  }

  /// Ends a load, and returns what kept the property alive if no other load is running.
  mutating func end() -> AnyObject? {
    switch state {
    case .running(let loads) where loads > 1: state = .running(loads: loads - 1)
    case .awaited(let loads, let observers, let property) where loads > 1:
      state = .awaited(loads: loads - 1, observers: observers, property: property)
    case .running: endRound()
    case .awaited(_, _, let property):
      endRound()
      return property
    case .idle: assertionFailure("A load ended that hadn't begun.")
    }
    return nil
  }

  /// Ends a load that left its property without a value.
  ///
  /// - Parameter isObserved: True if the property has observers besides those that wait.
  mutating func endWithoutValue(isObserved: Bool) -> EndAction {
    switch state {
    case .awaited(loads: 1, _, _): return .loadAgain
    case .running(loads: 1) where isObserved: return .loadAgain
    default: return .release(end())
    }
  }

  private mutating func endRound() {
    state = .idle
    round += 1
  }
}
