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
  @usableFromInline let tracedBy: Int

  /// A slot that is disposed with `parent`.
  @inlinable
  package init(of parent: ChainDisposable) {
    tracedBy = parent.tracedBy
    parent.attach(self)
  }

  /// Disposes the chain held and holds a new one, which is returned; it is disposed already where the slot is.
  @inlinable
  package func renew() -> ChainDisposable {
    let chain = ChainDisposable(tracedBy: tracedBy)
    let outdated = state.withLock { state in
      if state.isClosed { return Optional(chain) }
      let outdated = state.current
      state.current = chain
      return outdated
    }
    outdated?.dispose()
    return chain
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
