public import Synchronization

/// A tracer for signals that don't contain any of its operators. It sees every subscription, and it
/// follows work that moves to another thread.
@usableFromInline
package protocol Tracer: AnyObject, Sendable {
  /// Notes that a new observation begins with this chain. Returns true if the tracer wants to
  /// subscribe itself, with `trace`.
  func begin(_ chain: ChainDisposable) -> Bool

  /// Begins to subscribe for the end of a chain. Returns nil if the tracer does not subscribe after
  /// all. `start` is a parameter, because a larger result would need another frame on the stack,
  /// and a place has a limited number of frames.
  func trace<Element, Error: Swift.Error>(
    _ observer: @escaping Observer<Element, Error>, _ chain: ChainDisposable,
    _ start: inout ObservationStart
  ) -> TracedObserver<Element, Error>?

  /// Returns a function that runs an action in the context of this call, or nil if there is no
  /// context to carry.
  func carrier() -> Tracing.Carrier?

  /// Notes that the traced subscription of this chain observes, as a whole, a source with other
  /// observers, which get the same events.
  func join(_ chain: ChainDisposable)

  /// Notes that the thread observes a source. Until `endSource` is called with the result, what the
  /// thread observes is observed by the work of that source.
  func beginSource(_ source: SourceIdentity) -> OuterSources
  func endSource(_ outer: OuterSources)

  /// Notes that the connection of a shared signal continues for a different observer.
  func move(_ connection: ChainDisposable, _ move: ConnectionMove)
}

/// The identity of a source whose work is done for each of its observers. No two sources have the
/// same one at the same time.
@frozen @usableFromInline
package struct SourceIdentity: Sendable {
  package let word: UInt

  private static let numbers = Counter()

  /// Creates an identity that no other source ever has.
  @usableFromInline
  package init() {
    // Addresses of objects are even.
    word = UInt(bitPattern: Self.numbers.next()) << 1 | 1
  }

  /// Creates the identity of a source that its observers retain.
  package init(_ source: AnyObject) {
    word = UInt(bitPattern: ObjectIdentifier(source))
  }
}

/// The sources that a thread had observed for a subscription before another one.
@frozen @usableFromInline
package struct OuterSources: Sendable {
  package let word: UInt

  package init(word: UInt) { self.word = word }
}

/// The tracing tokens of the observers of a connection that continues for a different observer.
@usableFromInline
package struct ConnectionMove: Sendable {
  /// The observer that the connection was made for. Parts of the connection still have its token.
  package let madeFor: Int64
  /// The observer that left.
  package let from: Int64
  /// The observer that the connection is for from now on.
  package let to: Int64
}

/// An observation that a tracer begins.
@usableFromInline
package protocol TracedObservation: AnyObject {
  /// Notes that the source has the observer of the chain.
  func didAttach(_ chain: ChainDisposable, _ start: ObservationStart)
}

/// What a tracer knows at the start of an observation and needs until the source has the observer.
/// It is on the stack, because an observation can live long.
@usableFromInline
package struct ObservationStart: Sendable {
  /// The token of the subscription for which the thread was observing before.
  package var outer: Int64 = 0
  /// The address of the downstream observer's code.
  package var function: UInt = 0
  /// The address of its context with all bits inverted. A search for what holds the context would
  /// take the address itself on the stack for a local variable.
  package var invertedContext: UInt = .max
  /// The sources that the thread had observed for that subscription.
  package var outerSources = OuterSources(word: 0)

  @usableFromInline
  package init() {}
}

/// The observer that a tracer puts in place of the end of a chain.
@usableFromInline
package struct TracedObserver<Element, Error: Swift.Error> {
  @usableFromInline let observer: Observer<Element, Error>
  @usableFromInline let observation: any TracedObservation

  /// Creates an observer for the source.
  package init(
    _ observer: @escaping Observer<Element, Error>, of observation: any TracedObservation
  ) {
    self.observer = observer
    self.observation = observation
  }
}

/// Access to the tracer, if there is one.
@usableFromInline
package enum Tracing {
  /// A function that runs an action in a context that was captured earlier.
  @usableFromInline package typealias Carrier = (_ action: () -> Void) -> Void

  @usableFromInline static let showsObservations = Atomic<Bool>(false)
  @usableFromInline static let carriesContext = Atomic<Bool>(false)
  private final class Installed: Sendable {
    let tracer: any Tracer
    init(_ tracer: any Tracer) { self.tracer = tracer }
  }

  /// The address of the tracer's holder, or 0. Not guarded by a lock, because a forked child or a
  /// signal handler might find the lock held forever.
  private static let installed = Atomic<UInt>(0)

  private static var tracer: (any Tracer)? {
    UnsafeRawPointer(bitPattern: installed.load(ordering: .acquiring)).map {
      Unmanaged<Installed>.fromOpaque($0).takeUnretainedValue().tracer
    }
  }

  /// Installs the tracer. The first tracer stays, and later calls have no effect.
  package static func install(_ new: any Tracer) {
    guard installed.load(ordering: .relaxed) == 0 else { return }
    let holder = Unmanaged.passRetained(Installed(new))
    let isFirst = installed.compareExchange(
      expected: 0, desired: UInt(bitPattern: holder.toOpaque()), ordering: .acquiringAndReleasing
    ).exchanged
    if !isFirst { holder.release() }
  }

  /// Sets whether the tracer sees where every observation begins.
  package static func showObservations(_ isOn: Bool) {
    showsObservations.store(isOn, ordering: .relaxed)
  }

  /// Sets whether the tracer follows work to other threads.
  package static func carryContext(_ isOn: Bool) {
    carriesContext.store(isOn, ordering: .relaxed)
  }

  /// Subscribes for the end of a chain. Costs one relaxed load if no tracer sees observations.
  ///
  /// The tracer gets the observer and never the source. Otherwise, the closures of all operators of
  /// the source would need memory of their own, instead of becoming part of this call. The observer
  /// is made where it is used, for the same reason.
  @inlinable
  @inline(__always)
  static func attach<Source: SignalProtocol>(
    _ source: Source, _ observer: @autoclosure () -> Observer<Source.Element, Source.Error>,
    to chain: ChainDisposable
  ) {
    var start = ObservationStart()
    if showsObservations.load(ordering: .relaxed), beginSlowPath(chain),
      let traced = traceSlowPath(observer(), chain, &start)
    {
      source._attach(traced.observer, to: chain)
      traced.observation.didAttach(chain, start)
    } else {
      source._attach(observer(), to: chain)
    }
  }

  /// Reports whether the tracer wants to subscribe itself. This is not generic, because looking up
  /// the types of a generic call takes longer than what the tracer does here.
  @usableFromInline
  @inline(never)
  static func beginSlowPath(_ chain: ChainDisposable) -> Bool {
    guard let holder = UnsafeRawPointer(bitPattern: installed.load(ordering: .acquiring)) else {
      return false
    }
    return Unmanaged<Installed>.fromOpaque(holder)._withUnsafeGuaranteedRef {
      $0.tracer.begin(chain)
    }
  }

  @usableFromInline
  @inline(never)
  static func traceSlowPath<Element, Error: Swift.Error>(
    _ observer: @escaping Observer<Element, Error>, _ chain: ChainDisposable,
    _ start: inout ObservationStart
  ) -> TracedObserver<Element, Error>? {
    tracer?.trace(observer, chain, &start)
  }

  static func join(_ chain: ChainDisposable) { tracer?.join(chain) }

  /// Notes that the thread observes a source, if the chain is traced. `endSource` must be called
  /// with the result.
  @inlinable
  @inline(__always)
  static func beginSource(
    _ chain: ChainDisposable, _ source: @autoclosure () -> SourceIdentity
  ) -> OuterSources? {
    chain.tracedBy == 0 ? nil : beginSourceSlowPath(source())
  }

  @usableFromInline
  @inline(never)
  static func beginSourceSlowPath(_ source: SourceIdentity) -> OuterSources? {
    tracer?.beginSource(source)
  }

  @inlinable
  @inline(__always)
  static func endSource(_ outer: OuterSources?) {
    if let outer { endSourceSlowPath(outer) }
  }

  @usableFromInline
  @inline(never)
  static func endSourceSlowPath(_ outer: OuterSources) { tracer?.endSource(outer) }

  static func move(_ connection: ChainDisposable, _ move: ConnectionMove) {
    tracer?.move(connection, move)
  }

  /// Returns the action to give to a queue or a timer instead of `action`. Costs one relaxed load
  /// if no tracer follows work.
  @inline(__always)
  static func carrying(_ action: @escaping () -> Void) -> () -> Void {
    guard let carrier = carrier() else { return action }
    return { carrier(action) }
  }

  /// Returns a function that runs an action later as if it ran now, or nil if no tracer follows
  /// work.
  @inline(__always)
  static func carrier() -> Carrier? {
    guard carriesContext.load(ordering: .relaxed), let tracer else { return nil }
    return tracer.carrier()
  }
}
