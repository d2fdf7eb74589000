/// The observers of a subject, and who delivers to them.
///
/// Delivery goes over the array of observers as it was when the event began; the array is copied only if someone comes
/// or goes in the meantime. Coming takes constant time, going the time of a binary search.
@usableFromInline
package final class SubjectCore<Element, Error: Swift.Error>: Detachable, Sendable {
  @usableFromInline typealias Event = Signal<Element, Error>.Event

  @usableFromInline
  struct Slot {
    @usableFromInline let key: Int
    // Nil once the observer has gone.
    @usableFromInline var observer: Observer<Element, Error>?
    @usableFromInline let chain: ChainDisposable

    @inlinable
    init(key: Int, observer: @escaping Observer<Element, Error>, chain: ChainDisposable) {
      self.key = key
      self.observer = observer
      self.chain = chain
    }
  }

  @usableFromInline
  struct State {
    // Keys ascend: observers are added at the end only.
    @usableFromInline var slots: ContiguousArray<Slot> = []
    @usableFromInline var goneCount = 0
    @usableFromInline var lastKey = 0
    @usableFromInline var queue = DeliveryQueue<Element, Error>()
    // What observers were sent, so a new one continues without a gap; `latest` may be ahead of it.
    @usableFromInline var replay: ReplayBuffer<Element>
    @usableFromInline var latest: Element?
    // Whether `latest` was set without being sent; it takes its place in the buffer after what waits to be delivered.
    @usableFromInline var isLatestSilent = false
    @usableFromInline var terminal: Event?

    @inlinable
    init(replayLimit: Int) {
      replay = ReplayBuffer(limit: replayLimit)
    }

    /// Notes an event whose delivery begins; returns whom it goes to, and an element to be freed without the lock.
    @inlinable
    @inline(__always)
    mutating func begin(_ event: Event) -> (slots: ContiguousArray<Slot>, evicted: Element?) {
      switch event {
      case .next(let element):
        return (slots, replay.append(isLatestSilent ? latest ?? element : element))
      case .failed, .completed:
        terminal = event
        goneCount = 0
        let last = slots
        slots = []
        return (last, nil)
      }
    }

    @inlinable
    mutating func add(_ observer: @escaping Observer<Element, Error>, _ chain: ChainDisposable)
      -> Int
    {
      lastKey += 1
      slots.append(Slot(key: lastKey, observer: observer, chain: chain))
      return lastKey
    }

    /// Removes an observer, which is returned to be freed without the lock.
    @inlinable
    mutating func remove(_ key: Int) -> Observer<Element, Error>? {
      if let last = slots.last, last.key == key {
        slots.removeLast()
        while let last = slots.last, last.observer == nil {
          slots.removeLast()
          goneCount -= 1
        }
        return last.observer
      }
      var low = 0
      var high = slots.count
      while low < high {
        let middle = (low + high) / 2
        if slots[middle].key < key { low = middle + 1 } else { high = middle }
      }
      guard low < slots.count, slots[low].key == key, let observer = slots[low].observer else {
        return nil
      }
      slots[low].observer = nil
      goneCount += 1
      if goneCount * 2 > slots.count {
        slots.removeAll { $0.observer == nil }
        goneCount = 0
      }
      return observer
    }
  }

  @usableFromInline let state: Locked<State>
  // Properties read the latest element back; other subjects need not keep it.
  @usableFromInline let keepsLatest: Bool

  @inlinable
  init(replayLimit: Int, latest: Element? = nil) {
    keepsLatest = latest != nil
    var state = State(replayLimit: replayLimit)
    state.latest = latest
    if let latest { _ = state.replay.append(latest) }
    self.state = Locked(state)
  }

  @usableFromInline
  var isTerminated: Bool {
    state.withLock { $0.queue.isTerminated }
  }

  /// The element sent last, also where it waits to be delivered.
  @inlinable
  var latest: Element? {
    state.withLock { $0.latest }
  }

  /// Replaces the latest element without telling the observers.
  @inlinable
  func setLatest(_ element: Element) {
    let outdated = state.withLock { state in
      let outdated = (state.latest, state.replay.append(element))
      state.latest = element
      state.isLatestSilent = true
      return outdated
    }
    withExtendedLifetime(outdated) {}
  }

  /// Notes an element that is on its way here through another subject.
  @inlinable
  func setLatestAhead(_ element: Element) {
    let outdated = state.withLock { state in
      let outdated = state.latest
      state.latest = element
      state.isLatestSilent = false
      return outdated
    }
    withExtendedLifetime(outdated) {}
  }

  /// Delivers an event to all observers, or leaves it to the thread that is delivering.
  @inlinable
  func send(_ event: Event) {
    var outdated: Element?
    let begun = state.withLock { state -> (slots: ContiguousArray<Slot>, evicted: Element?)? in
      if keepsLatest, case .next(let element) = event {
        outdated = state.latest
        state.latest = element
        state.isLatestSilent = false
      }
      guard state.queue.admit(event) else { return nil }
      return state.begin(event)
    }
    withExtendedLifetime(outdated) {}
    guard let begun else { return }
    deliver(event, begun.slots)
    while let (event, slots) = following() { deliver(event, slots) }
  }

  @inlinable
  @inline(__always)
  func deliver(_ event: Event, _ slots: ContiguousArray<Slot>) {
    slots.withUnsafeBufferPointer { slots in
      for index in slots.indices where !slots[index].chain.isDisposed {
        slots[index].observer?(event)
      }
    }
  }

  @inlinable
  @inline(__always)
  func following() -> (Event, ContiguousArray<Slot>)? {
    let following = state.withLock {
      state -> (event: Event, begun: (slots: ContiguousArray<Slot>, evicted: Element?))? in
      guard let event = state.queue.following() else { return nil }
      return (event, state.begin(event))
    }
    guard let following else { return nil }
    return (following.event, following.begun.slots)
  }

  /// Adds an observer that gets what is sent from now on.
  @inlinable
  func attach(_ observer: @escaping Observer<Element, Error>, to chain: ChainDisposable) {
    var key = 0
    let terminal = state.withLock { state -> Event? in
      if let terminal = state.terminal { return terminal }
      key = state.add(observer, chain)
      return nil
    }
    if let terminal {
      observer(terminal)
    } else {
      chain.attach(self, key: key)
    }
  }

  /// Adds an observer that gets the elements in the buffer first.
  @inlinable
  func attachReplaying(_ observer: @escaping Observer<Element, Error>, to chain: ChainDisposable) {
    var key = 0
    var gate: ReplayGate<Element, Error>?
    let (replay, terminal) = state.withLock { state -> (ReplayBuffer<Element>, Event?) in
      guard state.terminal == nil else { return (state.replay, state.terminal) }
      if state.replay.isEmpty {
        key = state.add(observer, chain)
      } else {
        let newGate = ReplayGate<Element, Error>()
        key = state.add({ if newGate.admits($0) { observer($0) } }, chain)
        gate = newGate
      }
      return (state.replay, nil)
    }
    if terminal == nil { chain.attach(self, key: key) }
    replay.forEach { element in
      if chain.isDisposed { return false }
      observer(.next(element))
      return true
    }
    if let terminal {
      if !chain.isDisposed { observer(terminal) }
    } else {
      gate?.open(observer, chain)
    }
  }

  /// Lets go of the observers and of what is buffered: the subject is gone.
  @usableFromInline
  func close() {
    let dropped = state.withLock { state in
      let dropped = state
      state = State(replayLimit: 0)
      state.queue.isTerminated = true
      return dropped
    }
    withExtendedLifetime(dropped) {}
  }

  @inlinable
  package func detach(_ key: Int) {
    let observer = state.withLock { $0.remove(key) }
    withExtendedLifetime(observer) {}
  }
}
