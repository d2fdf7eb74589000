public import Synchronization

/// A holder for the chain of the latest of several upstream signals that an operator observes one
/// after another (`retry`, `flatMapLatest`, `flatMapConcat`). Creating the next chain disposes the
/// previous one.
@_fixed_layout @usableFromInline
final class ChainSlot: Detachable {
  @frozen @usableFromInline
  struct State {
    @usableFromInline var isClosed = false
    @usableFromInline var current: ChainDisposable?

    @inlinable
    init() {}
  }

  @usableFromInline let state = Locked(State())
  // Changed only under the lock of `state`.
  @usableFromInline let count = Atomic<Int>(0)
  @usableFromInline let tracedBy: Int64

  /// Creates a slot that is disposed with `parent`.
  @inlinable
  init(of parent: ChainDisposable) {
    tracedBy = parent.tracedByForParts
    parent.attach(part: self)
  }

  /// The number of chains created so far, which is also the number of the newest chain.
  @inlinable
  var newest: Int { count.load(ordering: .relaxed) }

  /// Replaces and disposes the current chain, and returns the new one. The new chain is already
  /// disposed if the slot is.
  @inlinable
  func renew() -> ChainDisposable {
    renewNumbered().chain
  }

  /// Replaces and disposes the current chain, and returns the new one with its number.
  @inlinable
  func renewNumbered() -> (chain: ChainDisposable, number: Int) {
    let chain = ChainDisposable(tracedBy: tracedBy)
    var number = 0
    let outdated = state.withLock { state in
      number = count.load(ordering: .relaxed) + 1
      count.store(number, ordering: .relaxed)
      if state.isClosed { return Optional(chain) }
      let outdated = state.current
      state.current = chain
      return outdated
    }
    outdated?.dispose()
    return (chain, number)
  }

  @inlinable
  func markDisposed() {
    let current = state.withLock { state in
      state.isClosed = true
      return state.current
    }
    current?.markDisposed()
  }

  @inlinable
  func detach(_ key: Int) {
    state.withLock { $0.current.take() }?.detach(0)
  }
}

extension ChainSlot: StoresValues {
  package static var storedValues: [StoredValue] { [.locked("state", State.self)] }
}

extension ChainSlot: PlaysRole {
  package static var objectRole: ObjectRole { .upstream }
}
