/// The core of a subject: it delivers events to the observers and remembers elements for replay.
///
/// The first thread to send has the turn and delivers. Events that are sent in the meantime, from
/// other threads or from inside an observer, wait in line and are delivered in the same turn. An
/// event costs two short critical sections. Between them it costs one check and one call per
/// observer.
// Unchecked because the superclass is open to subclasses. The thread that has the turn owns the
// table of observers, and `Locked` protects all other state.
@_fixed_layout @usableFromInline
final class SubjectCore<Element, Error: Swift.Error>: ObserverRegistry, @unchecked Sendable {
  @usableFromInline typealias Event = Signal<Element, Error>.Event
  @usableFromInline typealias Entry = TypedObserverEntry<Element, Error>

  /// An event that waits for delivery, and the key of the newest observer when it was sent.
  @frozen @usableFromInline
  struct Waiting {
    @usableFromInline let event: Event
    @usableFromInline let newestKey: Int

    @inlinable
    init(_ event: Event, newestKey: Int) {
      self.event = event
      self.newestKey = newestKey
    }
  }

  @frozen @usableFromInline
  struct Memory {
    @usableFromInline var pending = FIFO<Waiting>()
    // The elements that observers were sent, so that a new observer continues without a gap.
    // `latest` may be ahead of it.
    @usableFromInline var replay: ReplayBuffer<Element>
    @usableFromInline var latest: Element?
    // True if `latest` was set without being sent. It then stays the newest element of the buffer,
    // also after waiting events are delivered.
    @usableFromInline var isLatestSilent = false
    // The terminal event, as soon as it is sent.
    @usableFromInline var terminal: Event?

    @inlinable
    init(replayLimit: Int, latest: Element?) {
      replay = ReplayBuffer(limit: replayLimit)
      self.latest = latest
      if let latest { _ = replay.append(latest) }
    }

    /// Returns the element for the replay when `element` is sent.
    @inlinable
    func replayed(_ element: Element) -> Element {
      isLatestSilent ? latest ?? element : element
    }

    /// Returns the elements for a new observer, including those that wait for delivery. The
    /// observer does not get the waiting events themselves.
    @inlinable
    func replayWithPending() -> ReplayBuffer<Element> {
      var replay = replay
      pending.forEach { waiting in
        // The subject still retains the elements that the copy evicts.
        if case .next(let element) = waiting.event { _ = replay.append(replayed(element)) }
        return true
      }
      return replay
    }
  }

  // Guarded by `state` of the registry and accessed only in its critical sections. Access goes
  // through a pointer in a variable: with a longer path, the thread sanitizer would treat it as a
  // change of this object.
  @usableFromInline let memory: InlineStorage<Memory>
  // Properties read the latest element back. Other subjects need not keep it.
  @usableFromInline let keepsLatest: Bool
  @usableFromInline let keepsReplay: Bool

  override class var storedValues: [StoredValue] {
    super.storedValues + [.inline("memory", Memory.self)]
  }

  @inlinable
  init(replayLimit: Int, latest: Element? = nil) {
    keepsLatest = latest != nil
    keepsReplay = replayLimit > 0
    memory = InlineStorage(Memory(replayLimit: replayLimit, latest: latest))
    super.init()
  }

  /// Delivers an event to all observers, or leaves it to the thread that is delivering.
  @inlinable
  func send(_ event: Event) {
    var outdated: Element?
    var evicted: Element?
    var turn: ObserverTable.Slice?
    state.withLock { state in
      guard !state.isTerminated else { return }
      let memory = memory.address
      if keepsLatest, case .next(let element) = event {
        outdated = memory.pointee.latest
        memory.pointee.latest = element
        memory.pointee.isLatestSilent = false
      }
      if event.isTerminal {
        state.isTerminated = true
        memory.pointee.terminal = event
      }
      if state.isDelivering {
        memory.pointee.pending.append(Waiting(event, newestKey: state.lastKey))
        state.hasWork = true
        return
      }
      state.isDelivering = true
      evicted = begin(event, &state)
      turn = state.table.slice
    }
    withExtendedLifetime((outdated, evicted)) {}
    guard let turn else { return }
    deliver(event, turn)
    endTurn()
  }

  /// Notes an event whose delivery begins. Returns an element to be freed without the lock.
  @inlinable
  @inline(__always)
  func begin(_ event: Event, _ state: inout State) -> Element? {
    switch event {
    case .next(let element):
      guard keepsReplay else { return nil }
      let memory = memory.address
      return memory.pointee.replay.append(memory.pointee.replayed(element))
    case .failed, .completed:
      state.isOver = true
      state.hasWork = true
      return nil
    }
  }

  @inlinable
  @inline(__always)
  func deliver(_ event: Event, _ observers: ObserverTable.Slice) {
    observers.forEach { entry in
      guard !entry.chain.isDisposed else { return }
      unsafeDowncast(entry, to: Entry.self).observer(event)
    }
  }

  /// Ends the turn after delivering everything that arrived during it.
  @inlinable
  @inline(__always)
  func endTurn() {
    let hasWork = state.withLock { state in
      if !state.hasWork { state.isDelivering = false }
      return state.hasWork
    }
    if hasWork { endTurnSlowPath() }
  }

  /// Delivers the events that arrived during the turn.
  ///
  /// Takes all waiting events at once, so that threads that send at the same time contend less
  /// often. An observer that subscribed after an event was sent does not get it, except from the
  /// replay.
  @inlinable
  @inline(never)
  func endTurnSlowPath() {
    var isDone = false
    var drain = Drain()
    defer { drain.end() }
    while !isDone {
      var gone: [ObserverEntry] = []
      var evicted: [Element] = []
      var batch = FIFO<Waiting>()
      var first: Waiting?
      var observers: ObserverTable.Slice?
      state.withLock { state in
        gone = state.settle()
        let memory = memory.address
        if memory.pointee.pending.isEmpty {
          state.hasWork = false
          state.isDelivering = false
          isDone = true
          return
        }
        // In the usual case, an event sent by an observer, the queue keeps its memory.
        first = memory.pointee.pending.popFirst()
        if !memory.pointee.pending.isEmpty { swap(&batch, &memory.pointee.pending) }
        if let first, let element = begin(first.event, &state) { evicted.append(element) }
        batch.forEach { waiting in
          if let element = begin(waiting.event, &state) { evicted.append(element) }
          return true
        }
        observers = state.table.slice
      }
      withExtendedLifetime((gone, evicted)) {}
      guard let first, let observers else { continue }
      drain.begin()
      deliver(first.event, observers.through(first.newestKey))
      while let next = batch.popFirst() { deliver(next.event, observers.through(next.newestKey)) }
    }
  }

  /// Adds an observer that gets the events sent from now on. After the terminal event is sent, the
  /// observer gets only that event, immediately.
  @inlinable
  func attach(_ observer: @escaping Observer<Element, Error>, to chain: ChainDisposable) {
    let outer = chain.tracedBy == 0 ? nil : beginTraced(chain)
    defer { Tracing.endSource(outer) }
    let entry = Entry(observer, chain)
    var key = 0
    var terminal: Event?
    state.withLock { state in
      let memory = memory.address
      terminal = memory.pointee.terminal
      if !state.isTerminated { key = state.add(entry) }
    }
    if let terminal {
      if !chain.isDisposed { observer(terminal) }
    } else {
      chain.attach(self, key: key)
    }
  }

  /// Adds an observer that first gets the earlier elements that are still buffered.
  ///
  /// If no thread is delivering, this call takes the turn, so that events sent in the meantime
  /// wait. Otherwise, a gate holds them back.
  @inlinable
  func attachReplaying(_ observer: @escaping Observer<Element, Error>, to chain: ChainDisposable) {
    let outer = chain.tracedBy == 0 ? nil : beginTraced(chain)
    defer { Tracing.endSource(outer) }
    let entry = Entry(observer, chain)
    var key = 0
    var hasTurn = false
    var gate: ReplayGate<Element, Error>?
    var replay = ReplayBuffer<Element>(limit: 0)
    var terminal: Event?
    state.withLock { state in
      let memory = memory.address
      replay =
        memory.pointee.pending.isEmpty
        ? memory.pointee.replay : memory.pointee.replayWithPending()
      terminal = memory.pointee.terminal
      guard !state.isTerminated else { return }
      if state.isDelivering, !replay.isEmpty {
        let newGate = ReplayGate<Element, Error>()
        key = state.add(Entry({ if newGate.admits($0) { observer($0) } }, chain))
        gate = newGate
      } else {
        key = state.add(entry)
        hasTurn = !state.isDelivering
        state.isDelivering = true
      }
    }
    if terminal == nil { chain.attach(self, key: key) }
    // Goes through `entry`, whose constants are read without counting references.
    Unmanaged.passUnretained(entry)._withUnsafeGuaranteedRef { entry in
      replay.forEach { element in
        if entry.chain.isDisposed { return false }
        entry.observer(.next(element))
        return true
      }
    }
    withExtendedLifetime(entry) {}
    if let terminal, !chain.isDisposed { observer(terminal) }
    if hasTurn { endTurn() }
    gate?.open(observer, chain)
  }

  /// Releases the observers and the buffered elements because the subject is being deallocated.
  @usableFromInline
  func close() {
    releaseObservers()
    var dropped: Memory?
    state.withLock { _ in
      let memory = memory.address
      dropped = memory.move()
      memory.initialize(to: Memory(replayLimit: 0, latest: nil))
    }
    withExtendedLifetime(dropped) {}
  }
}

/// Support for properties: the element that was sent last, even if it still waits for delivery.
extension SubjectCore {
  @inlinable
  var latest: Element? {
    state.withLock { _ in memory.address.pointee.latest }
  }

  /// Replaces the latest element without notifying the observers.
  @inlinable
  func setLatest(_ element: Element) {
    let outdated = state.withLock { _ in
      let memory = memory.address
      let outdated = (memory.pointee.latest, memory.pointee.replay.append(element))
      memory.pointee.latest = element
      memory.pointee.isLatestSilent = true
      return outdated
    }
    withExtendedLifetime(outdated) {}
  }

  /// Notes an element that will arrive here through another subject.
  @inlinable
  func setLatestAhead(_ element: Element) {
    let outdated = state.withLock { _ in
      let memory = memory.address
      let outdated = memory.pointee.latest
      memory.pointee.latest = element
      memory.pointee.isLatestSilent = false
      return outdated
    }
    withExtendedLifetime(outdated) {}
  }
}
