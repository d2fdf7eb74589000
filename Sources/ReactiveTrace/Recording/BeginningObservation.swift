import HostSafety
import ReactiveKit
import SwiftRuntime
import Synchronization
import TraceFormat

/// An observation that a lane can still take over.
///
/// It has an ID from the start. Signals observed in the meantime carry this ID upstream. If a lane
/// covers the whole observation, the lane takes over the ID. Otherwise, the observation becomes a
/// separate subscription, named after its location. This happens at its first event, or when
/// its source has been observed completely.
class BeginningObservation {
  private enum Phase {
    static let open = 0
    static let begins = 1
    static let taken = 2
  }

  let recorder: Recorder
  let id: Int
  /// The observation that the thread was beginning before this one. It is released once this one
  /// has begun.
  private(set) var outer: BeginningObservation?
  /// The address of the metadata of the elements.
  private let type: UInt
  private let parent: TraceToken
  /// The location that names the observation.
  private let place: PlaceNumber
  /// A Boolean value that is false if the library made the observation for another one, like the
  /// connection of a shared signal.
  private let isOwnCall: Bool
  private let phase = Atomic<Int>(Phase.open)
  /// The address of the subscription, which this object retains. `AtomicLazyReference` isn't
  /// specialized for its type and would take a tenth of the time of an observation.
  private let madeAddress = Atomic<UInt>(0)

  init(
    _ recorder: Recorder, type: UInt, parent: TraceToken, isOwnCall: Bool,
    outer: BeginningObservation?, place: PlaceNumber
  ) {
    self.recorder = recorder
    self.type = type
    self.parent = parent
    self.outer = outer
    self.isOwnCall = isOwnCall
    self.place = place
    id = recorder.subscriptions.next()
  }

  deinit {
    guard let made = UnsafeRawPointer(bitPattern: madeAddress.load(ordering: .acquiring)) else {
      return
    }
    let subscription = Unmanaged<TracedSubscription>.fromOpaque(made)
    subscription._withUnsafeGuaranteedRef { $0.released() }
    subscription.release()
  }

  /// The subscription of this observation, or nil if it hasn't begun.
  private var made: TracedSubscription? {
    @inline(__always) get {
      UnsafeRawPointer(bitPattern: madeAddress.load(ordering: .acquiring)).map {
        Unmanaged<TracedSubscription>.fromOpaque($0).takeUnretainedValue()
      }
    }
  }

  /// Marks this observation as the one that the thread is beginning until `endBeginning` is called.
  func startBeginning() { ThreadContext.current.beginning = self }

  func endBeginning() {
    ThreadContext.current.beginning = outer
    outer = nil
    _ = subscription()
  }

  var token: TraceToken { TraceToken(id: id, in: recorder) }

  /// Claims this observation for a lane. Returns true for the first claim, if the observation
  /// hasn't become a subscription yet.
  func take() -> Bool {
    phase.compareExchange(
      expected: Phase.open, desired: Phase.taken, ordering: .acquiringAndReleasing
    ).exchanged
  }

  /// The subscription for which this observation was made.
  var parentSubscription: TracedSubscription? { recorder.subscription(of: parent) }

  /// Returns the place of this observation, given its parent subscription.
  func observed(_ parent: TracedSubscription?) -> PlaceNumber {
    isOwnCall ? place : parent?.observed ?? place
  }

  /// Returns the subscription of this observation, and begins it if necessary. Returns nil if a
  /// lane took over the observation.
  @inline(__always)
  func subscription() -> TracedSubscription? { made ?? subscriptionSlowPath() }

  @inline(never)
  private func subscriptionSlowPath() -> TracedSubscription? {
    // A child process must not touch the locks of its parent's log.
    guard recorder.isOpen else { return nil }
    let (isMine, known) = phase.compareExchange(
      expected: Phase.open, desired: Phase.begins, ordering: .acquiringAndReleasing)
    guard isMine else { return known == Phase.taken ? nil : waitForOther() }
    let parent = parentSubscription
    let subscription = TracedSubscription(
      recorder: recorder, id: id,
      site: SharedSiteTable.shared.site(TraceSite(nil, .observe, place: place), of: type),
      observed: observed(parent),
      parent: parent,
      cause: ThreadContext.current.pointee.delivering.id(in: recorder),
      scope: TraceScope.current, test: recorder.testScope)
    // Only the thread that changed the phase reaches this code.
    madeAddress.store(
      UInt(bitPattern: Unmanaged.passRetained(subscription).toOpaque()), ordering: .releasing)
    return subscription
  }

  /// Waits while another thread writes the beginning of this observation, which must be its first
  /// record. The wait is limited to 0.1 seconds, so a slow custom sink doesn't block this thread.
  private func waitForOther() -> TracedSubscription? {
    let clock = LogClock()
    while made == nil, clock.now < 100_000_000 { LogClock.yield() }
    return made
  }
}

extension UnsafeMutablePointer where Pointee == ThreadContext {
  /// The observation that the thread is beginning, if any. This isn't a member of the context: its
  /// setter would access the whole context, while other threads read the atomics in it.
  var beginning: BeginningObservation? {
    @inline(__always) get {
      pointee.beginningObject.map { unsafeDowncast($0, to: BeginningObservation.self) }
    }
    @inline(__always) nonmutating set { pointee.beginningObject = newValue }
  }
}

extension Recorder {
  /// Returns the subscription of a token. An observation that the thread is beginning becomes a
  /// separate subscription.
  func subscription(of token: TraceToken) -> TracedSubscription? {
    guard isOpen, let id = token.id(in: self) else { return nil }
    return beginning(id)?.subscription() ?? liveSubscriptions.subscription(id)
      ?? movedConnections.successor(of: id).flatMap { liveSubscriptions.subscription($0) }
  }

  /// Returns the observation with this ID that the calling thread is beginning.
  private func beginning(_ id: Int) -> BeginningObservation? {
    var candidate = ThreadContext.current.beginning
    while let observation = candidate, observation.id != id || observation.recorder !== self {
      candidate = observation.outer
    }
    return candidate
  }

  /// Lets a tracing operator take over the observation for which it is observed, if the operator
  /// covers the whole observation. Returns the ID for the operator, and the parent and the place of
  /// the observation. Returns nil if there isn't such an observation.
  func takeOver(
    _ token: TraceToken
  ) -> (id: Int, parent: TracedSubscription?, observed: PlaceNumber?)? {
    guard isOpen, token.isWhole, let id = token.id(in: self) else { return nil }
    if let observation = beginning(id), observation.take() {
      let parent = observation.parentSubscription
      return (id, parent, observation.observed(parent))
    }
    // The observation has already become a subscription because it waited for something upstream,
    // like `subscribe(on:)` does. It continues under the name of the lane.
    guard let observed = liveSubscriptions.subscription(id), observed.site.operator == .observe
    else {
      return nil
    }
    observed.disposed()
    return (subscriptions.next(), observed.parent, observed.observed)
  }
}

/// An observation reported to the tracer. Unless a lane takes it over, it does the work of a lane's
/// probe.
final class Observation<Element, Error: Swift.Error>: BeginningObservation, Detachable {
  private let writer: ValueWriter<Element>

  init(
    _ recorder: Recorder, parent: TraceToken, isOwnCall: Bool, outer: BeginningObservation?,
    place: PlaceNumber
  ) {
    writer = ValueWriter(nil, .all, recorder)
    super.init(
      recorder, type: Metadata.address(of: Element.self), parent: parent, isOwnCall: isOwnCall,
      outer: outer, place: place)
  }

  /// Begins this observation. Until the returned observer's closing action is called, everything
  /// that the thread observes is observed for this observation.
  func begin(
    _ observer: @escaping Observer<Element, Error>, _ chain: ChainDisposable
  ) -> TracedObserver<Element, Error> {
    chain.attach(self)
    chain.tracedBy = token.whole.word
    let thread = ThreadContext.current
    let observing = thread.pointee.observing
    thread.pointee.observing = token
    startBeginning()
    return TracedObserver({ event in self.pass(event, observer) }) {
      thread.pointee.observing = observing
      self.endBeginning()
      self.subscription()?.note(chain, observer)
    }
  }

  func detach(_ key: Int) { subscription()?.disposed() }

  private func pass(_ event: Signal<Element, Error>.Event, _ observer: Observer<Element, Error>) {
    guard let subscription = subscription(), !subscription.hasEnded else { return observer(event) }
    switch event {
    case .next(let element): subscription.next(element, writer)
    case .failed(let error): subscription.failed(with: error)
    case .completed: subscription.completed()
    }
    let outer = token.beginDelivering()
    observer(event)
    TraceToken.end(outer)
  }
}

// It retains what the user observes, unlike the recorder's other objects.
extension Observation: PlaysRole {
  static var objectRole: ObjectRole { .downstream }
}
