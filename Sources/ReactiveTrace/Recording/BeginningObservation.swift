import ReactiveKit
import SwiftRuntime
import Synchronization
import SystemLibrary
import TraceFormat

/// An observation that a lane can still take over.
///
/// It has an ID from the start. Signals observed in the meantime carry this ID upstream. If a lane
/// covers the whole observation, the lane takes over the ID. Otherwise, the observation becomes a
/// separate subscription, named after its location. This happens at its first event, or when
/// its source has been observed completely.
///
/// Unless a lane takes it over, it does the work of a lane's probe. It isn't generic, because
/// looking up the class for each observation took 340 instructions.
final class BeginningObservation: Detachable, TracedObservation {
  private enum Phase {
    static let open: UInt8 = 0
    static let begins: UInt8 = 1
    static let taken: UInt8 = 2
  }

  private let hot: RecorderHandle
  let id: Int
  /// The observation that the thread was beginning before this one, until this one has begun. The
  /// code that observes it retains it until then.
  private(set) var outer: Unmanaged<BeginningObservation>?
  /// The address of the metadata of the elements.
  private let type: UInt
  private let parent: TraceToken
  // These three take one word.
  private let placeNumber: Int32
  /// A Boolean value that is false if the library made the observation for another one, like the
  /// connection of a shared signal.
  private let isOwnCall: Bool
  private let phase = Atomic<UInt8>(Phase.open)
  /// The address of the subscription, which this object retains. `AtomicLazyReference` isn't
  /// specialized for its type and would take a tenth of the time of an observation.
  private let madeAddress = Atomic<UInt>(0)

  init(
    _ recorder: RecorderHandle, type: UInt, parent: TraceToken, isOwnCall: Bool,
    outer: Unmanaged<BeginningObservation>?, place: PlaceNumber
  ) {
    hot = recorder
    self.type = type
    self.parent = parent
    self.outer = outer
    self.isOwnCall = isOwnCall
    placeNumber = Int32(truncatingIfNeeded: place.number)
    id = recorder.withRecorder { $0.subscriptions.next() }
  }

  deinit {
    guard let made = UnsafeRawPointer(bitPattern: madeAddress.load(ordering: .acquiring)) else {
      return
    }
    let subscription = Unmanaged<TracedSubscription>.fromOpaque(made)
    subscription._withUnsafeGuaranteedRef { $0.released() }
    subscription.release()
  }

  /// The location that names the observation.
  private var place: PlaceNumber { PlaceNumber(number: Int(placeNumber)) }

  /// The subscription of this observation, or nil if it hasn't begun.
  private var made: TracedSubscription? {
    @inline(__always) get {
      UnsafeRawPointer(bitPattern: madeAddress.load(ordering: .acquiring)).map {
        Unmanaged<TracedSubscription>.fromOpaque($0).takeUnretainedValue()
      }
    }
  }

  /// Marks this observation as the one that the thread is beginning until `endBeginning` is called.
  private func startBeginning() {
    ThreadContext.current.beginning = Unmanaged.passUnretained(self)
  }

  /// Returns the subscription of this observation, or nil if a lane took it over.
  private func endBeginning() -> TracedSubscription? {
    let thread = ThreadContext.current
    if isSame(thread.beginning) { thread.beginning = outer } else { endEarly(thread.beginning) }
    outer = nil
    return subscription()
  }

  private func isSame(_ other: Unmanaged<BeginningObservation>?) -> Bool {
    other?.toOpaque() == Unmanaged.passUnretained(self).toOpaque()
  }

  /// Removes this observation from the list of those that the thread is beginning. Code that
  /// switches between stacks on one thread can end an observation before those that began later.
  @inline(never)
  private func endEarly(_ last: Unmanaged<BeginningObservation>?) {
    var candidate = last
    while let observation = candidate?.takeUnretainedValue() {
      if isSame(observation.outer) {
        observation.outer = outer
        return
      }
      candidate = observation.outer
    }
  }

  var token: TraceToken { TraceToken(id: id, log: hot.number) }

  func isFor(_ recorder: Recorder) -> Bool { hot.withRecorder { $0 === recorder } }

  /// Claims this observation for a lane. Returns true for the first claim, if the observation
  /// hasn't become a subscription yet.
  func take() -> Bool {
    phase.compareExchange(
      expected: Phase.open, desired: Phase.taken, ordering: .acquiringAndReleasing
    ).exchanged
  }

  /// The subscription for which this observation was made.
  var parentSubscription: TracedSubscription? {
    parent == .none ? nil : hot.withRecorder { $0.subscription(of: parent) }
  }

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
    guard hot.isOpen else { return nil }
    let (isMine, known) = phase.compareExchange(
      expected: Phase.open, desired: Phase.begins, ordering: .acquiringAndReleasing)
    guard isMine else { return known == Phase.taken ? nil : waitForOther() }
    let parent = parentSubscription
    let subscription = hot.withRecorder { recorder in
      TracedSubscription(
        recorder: recorder, id: id,
        site: SharedSiteTable.shared.site(TraceSite(nil, .observe, place: place), of: type),
        observed: observed(parent),
        parent: parent,
        cause: ThreadContext.current.pointee.delivering.id(in: recorder),
        scope: TraceScope.current, test: recorder.testScope)
    }
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
  var beginning: Unmanaged<BeginningObservation>? {
    @inline(__always) get {
      UnsafeRawPointer(bitPattern: pointee.beginningAddress).map { Unmanaged.fromOpaque($0) }
    }
    @inline(__always) nonmutating set {
      pointee.beginningAddress = newValue.map { UInt(bitPattern: $0.toOpaque()) } ?? 0
    }
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
    while let observation = candidate?.takeUnretainedValue() {
      if observation.id == id, observation.isFor(self) { return observation }
      candidate = observation.outer
    }
    return nil
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

extension BeginningObservation {
  /// Begins this observation. Until the returned observer's closing action is called, everything
  /// that the thread observes is observed for this observation.
  func begin<Element, Error: Swift.Error>(
    _ observer: @escaping Observer<Element, Error>, _ chain: ChainDisposable,
    _ start: inout ObservationStart, _ writer: ValueWriter<Element>
  ) -> TracedObserver<Element, Error> {
    chain.attach(self)
    chain.tracedBy = token.whole.word
    let thread = ThreadContext.current
    let words = ObserverWords(observer)
    start.outer = thread.pointee.observing.word
    (start.function, start.invertedContext) = (words.function, ~words.context)
    start.outerSources = thread.pointee.sources.beginSubscription()
    thread.pointee.observing = token
    startBeginning()
    // One word instead of the writer saves 32 bytes for each observation.
    let way = writer.word
    return TracedObserver(
      { event in self.pass(event, observer, ValueWriter(word: way)) }, of: self)
  }

  func didAttach(_ chain: ChainDisposable, _ start: ObservationStart) {
    let thread = ThreadContext.current
    thread.pointee.observing = TraceToken(word: start.outer)
    let sources = thread.pointee.sources.endSubscription(start.outerSources)
    guard let subscription = endBeginning() else { return }
    subscription.note(
      chain, ObserverWords(function: start.function, context: ~start.invertedContext))
    subscription.note(sources)
  }

  func detach(_ key: Int) {
    guard let known = UnsafeRawPointer(bitPattern: madeAddress.load(ordering: .acquiring)) else {
      subscription()?.disposed()
      return
    }
    // The observation retains its subscription.
    Unmanaged<TracedSubscription>.fromOpaque(known)._withUnsafeGuaranteedRef { $0.disposed() }
  }

  private func pass<Element, Error: Swift.Error>(
    _ event: Signal<Element, Error>.Event, _ observer: Observer<Element, Error>,
    _ writer: borrowing ValueWriter<Element>
  ) {
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
extension BeginningObservation: PlaysRole {
  static var objectRole: ObjectRole { .downstream }
}
