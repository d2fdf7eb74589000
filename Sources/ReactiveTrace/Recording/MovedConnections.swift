import ReactiveKit
import Synchronization

/// The subscriptions that belong to connections of shared signals and continue for another observer
/// than the one that they were made for, because that one left.
///
/// Without them, what the last observer of a shared signal keeps alive would seem to be a mistake of
/// the first one, which left in order.
final class MovedConnections: Sendable {
  /// What a subscription continues for.
  struct Owner {
    /// The traced subscription downstream, or nil if the observer is not traced.
    let subscription: TracedSubscription?
    let observed: ObservedPlace?
  }

  private struct State {
    /// The owners by the ids of the subscriptions.
    var owners: [Int: Owner] = [:]
    /// The ids of the observers for which connections continue, by the ids of those that they were made
    /// for.
    var successors: [Int: Int] = [:]
  }

  private let state = Guarded(State())
  /// False in nearly all programs, which then need no lock.
  private let isUsed = Atomic<Bool>(false)

  /// Returns what a subscription continues for; nil if it is what it was made for.
  func owner(of id: Int) -> Owner? {
    guard isUsed.load(ordering: .relaxed) else { return nil }
    return state.withLock { $0.owners[id] }
  }

  /// Returns the observer for which the connection continues that was made for another one.
  func successor(of id: Int) -> Int? {
    guard isUsed.load(ordering: .relaxed), !Inside.isInside else { return nil }
    return state.withLock { $0.successors[id] }
  }

  /// - Parameter former: The id of the observer that the connection was made for; nil if it is not
  ///   traced.
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
  /// Notes that a connection continues for another observer, and writes that to the log for each
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
    // What was made for the connection's own subscriptions stays theirs.
    let moved = liveSubscriptions.subscriptions { subscription in
      guard subscription !== owner.subscription else { return false }
      guard let parent = subscription.parent else { return subscription.chainAddress == address }
      return parent.id == former
    }
    movedConnections.note(owner, of: moved.map(\.id), madeFor: id(of: move.madeFor))
    for subscription in moved where !subscription.hasEnded { subscription.writeOwner() }
  }

  /// Returns the id of the subscription of a token.
  private func id(of word: Int64) -> Int? {
    let token = TraceToken(word: word)
    return token.isSubscription ? token.id(in: self) : nil
  }
}
