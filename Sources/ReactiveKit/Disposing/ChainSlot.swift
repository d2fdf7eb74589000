public import Synchronization

/// Holds the chain of the latest of several upstream signals that an operator observes one after another (`retry`,
/// `flatMapLatest`, `flatMapConcat`): making the next disposes the one before.
@usableFromInline
package final class ChainSlot: Detachable {
  @usableFromInline
  struct State {
    @usableFromInline var isClosed = false
    @usableFromInline var current: ChainDisposable?

    @inlinable
    init() {}
  }

  @usableFromInline let state = Locked(State())
  // Changed under the lock of `state`.
  @usableFromInline let count = Atomic<Int>(0)
  @usableFromInline let tracedBy: Int64

  /// A slot that is disposed with `parent`.
  @inlinable
  package init(of parent: ChainDisposable) {
    tracedBy = parent.tracedByForParts
    parent.attach(self)
  }

  /// How many chains were made; the number of the newest.
  @inlinable
  package var newest: Int { count.load(ordering: .relaxed) }

  /// Disposes the chain held and holds a new one, which is returned; it is disposed already where the slot is.
  @inlinable
  package func renew() -> ChainDisposable {
    renewNumbered().chain
  }

  /// The same, with the number of the new chain.
  @inlinable
  package func renewNumbered() -> (chain: ChainDisposable, number: Int) {
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
  package func detach(_ key: Int) {
    let current = state.withLock { state in
      state.isClosed = true
      let current = state.current
      state.current = nil
      return current
    }
    current?.dispose()
  }
}
