import ReactiveKit
import Synchronization
import SystemLibrary

/// The subscriptions of shared connections that were made for an observer that has left, and
/// continue for another observer.
///
/// Without this, subscriptions that the last observer of a shared signal keeps alive would be
/// reported as leaks of the first observer, which was disposed correctly.
final class MovedConnections: Sendable {
  /// The observer for which a subscription continues.
  struct Owner {
    /// The traced subscription downstream, or nil if the observer isn't traced.
    let subscription: TracedSubscription?
    let observed: PlaceNumber?
  }

  private struct State {
    /// The owners by the IDs of the subscriptions.
    var owners: [Int: Owner] = [:]
    /// The IDs of the observers for which connections continue, by the IDs of the observers for
    /// which they were made.
    var successors: [Int: Int] = [:]
  }

  private let state = Guarded(State())
  /// A Boolean value that is false in nearly all programs, which then don't need the lock.
  private let isUsed = Atomic<Bool>(false)

  /// Returns the observer for which a subscription continues. Returns nil if it is still the one
  /// for which it was made.
  func owner(of id: Int) -> Owner? {
    guard isUsed.load(ordering: .relaxed) else { return nil }
    return state.withLock { $0.owners[id] }
  }

  /// Returns the observer for which the connection that was made for the observer `id` continues.
  func successor(of id: Int) -> Int? {
    guard isUsed.load(ordering: .relaxed), !Inside.isInside else { return nil }
    return state.withLock { $0.successors[id] }
  }

  /// Records the new owner of subscriptions.
  ///
  /// - Parameter former: The ID of the observer for which the connection was made, or nil if it
  ///   isn't traced.
  fileprivate func note(_ owner: Owner, of ids: [Int], madeFor former: Int?) {
    isUsed.store(true, ordering: .relaxed)
    let replaced = state.withLock { state in
      if let former { state.successors[former] = owner.subscription?.id }
      return ids.map { state.owners.updateValue(owner, forKey: $0) }
    }
    withExtendedLifetime(replaced) {}
  }

  /// Forgets a subscription that ended.
  func forget(_ id: Int) {
    guard isUsed.load(ordering: .relaxed) else { return }
    let owner = state.withLock { $0.owners.removeValue(forKey: id) }
    withExtendedLifetime(owner) {}
  }
}

extension Recorder {
  /// Moves a connection to another observer, and writes the new owner to the log for each
  /// subscription of the connection.
  func move(_ connection: ChainDisposable, _ move: ConnectionMove) {
    guard isOpen else { return }
    let token = TraceToken(word: move.to)
    let owner: MovedConnections.Owner
    if token.isSubscription {
      guard let subscription = subscription(of: token) else { return }
      owner = .init(subscription: subscription, observed: subscription.observed)
    } else {
      guard let place = token.place else { return }
      owner = .init(subscription: nil, observed: place)
    }
    let address = UInt(bitPattern: Unmanaged.passUnretained(connection).toOpaque())
    let former = id(of: move.from)
    // Subscriptions that were made for the connection's own subscriptions keep their parents.
    let moved = liveSubscriptions.subscriptions { subscription in
      guard subscription !== owner.subscription else { return false }
      guard let parent = subscription.parent else { return subscription.chainAddress == address }
      return parent.id == former
    }
    movedConnections.note(owner, of: moved.map(\.id), madeFor: id(of: move.madeFor))
    for subscription in moved where !subscription.hasEnded { subscription.writeOwner() }
  }

  /// Returns the ID of the subscription of a token.
  private func id(of word: Int64) -> Int? {
    let token = TraceToken(word: word)
    return token.isSubscription ? token.id(in: self) : nil
  }
}
