import ReactiveKit

/// The subscriptions that were made during one leak check.
package final class LeakCheck: Sendable {
  private struct State {
    var subscriptions: [TracedSubscription] = []
    var limit = 64
    var isClosed = false
  }

  private let state = Guarded(State())
  /// The check around this one, which gets what is made when this one is over.
  private let outer: LeakCheck?

  init(outer: LeakCheck? = nil) { self.outer = outer }

  func note(_ subscription: TracedSubscription) {
    let ended = state.withLock { state -> [TracedSubscription]? in
      guard !state.isClosed else { return nil }
      state.subscriptions.append(subscription)
      guard state.subscriptions.count > state.limit else { return [] }
      // Those that have ended need not be held, however many there are.
      let all = state.subscriptions
      state.subscriptions.removeAll { $0.hasEnded }
      state.limit = max(64, 2 * state.subscriptions.count)
      return all
    }
    if ended == nil { outer?.note(subscription) }
  }

  /// Lets go of all, which hold the check.
  func close() {
    let all = state.withLock { state in
      state.isClosed = true
      defer { state.subscriptions = [] }
      return state.subscriptions
    }
    withExtendedLifetime(all) {}
  }

  /// Those that have not ended and are not meant to live until the program exits.
  var leaks: [TracedSubscription] {
    state.withLock { $0.subscriptions }.filter { !$0.hasEnded && !$0.livesUntilExit }
  }
}
