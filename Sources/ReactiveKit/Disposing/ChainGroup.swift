/// The numbered chains of all upstream signals that an operator observes at the same time
/// (`flatMapMerge`).
@_fixed_layout @usableFromInline
final class ChainGroup: Detachable {
  @frozen @usableFromInline
  struct State {
    @usableFromInline var isClosed = false
    @usableFromInline var lastKey = 0
    @usableFromInline var chains: [Int: ChainDisposable] = [:]

    @inlinable
    init() {}
  }

  @usableFromInline let state = Locked(State())
  @usableFromInline let tracedBy: Int64

  /// Creates a group that is disposed with `parent`.
  @inlinable
  init(of parent: ChainDisposable) {
    tracedBy = parent.tracedByForParts
    parent.attach(part: self)
  }

  /// Creates a chain and returns it with its number. The chain is already disposed if the group is.
  @inlinable
  func add() -> (key: Int, chain: ChainDisposable) {
    let chain = ChainDisposable(tracedBy: tracedBy)
    let key = state.withLock { state in
      if state.isClosed { return 0 }
      state.lastKey += 1
      state.chains[state.lastKey] = chain
      return state.lastKey
    }
    if key == 0 { chain.dispose() }
    return (key, chain)
  }

  /// Disposes and removes one chain.
  @inlinable
  func remove(_ key: Int) {
    // After the end of the group, `detach` disposes all chains.
    state.withLock { $0.isClosed ? nil : $0.chains.removeValue(forKey: key) }?.dispose()
  }

  @inlinable
  func markDisposed() {
    let chains = state.withLock { state in
      state.isClosed = true
      return state.chains
    }
    for chain in chains.values { chain.markDisposed() }
  }

  @inlinable
  func detach(_ key: Int) {
    let chains = state.withLock { state in
      let chains = state.chains
      state.chains = [:]
      return chains
    }
    for (_, chain) in chains.sorted(by: { $0.key < $1.key }) { chain.detach(0) }
  }
}

extension ChainGroup: StoresValues {
  package static var storedValues: [StoredValue] { [.locked("state", State.self)] }
}

extension ChainGroup: PlaysRole {
  package static var objectRole: ObjectRole { .upstream }
}
