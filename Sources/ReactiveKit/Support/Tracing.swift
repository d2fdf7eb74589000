public import Synchronization

/// What a tracer does for signals that it has no operator in: it sees every observation, and it follows work that goes to
/// another thread.
@usableFromInline
package protocol Tracer: AnyObject, Sendable {
  /// Observes `source` for the end of a chain: with the tracer in between.
  func attach<Source: SignalProtocol>(
    _ source: Source, _ observer: @escaping Observer<Source.Element, Source.Error>,
    to chain: ChainDisposable)

  /// Returns a function that runs an action in the context of this call; nil where there is nothing to carry.
  func carrier() -> Tracing.Carrier?
}

/// The tracer, where there is one.
@usableFromInline
package enum Tracing {
  /// Runs an action in the context of another moment.
  @usableFromInline package typealias Carrier = (_ action: () -> Void) -> Void

  @usableFromInline static let showsObservations = Atomic<Bool>(false)
  @usableFromInline static let carriesContext = Atomic<Bool>(false)
  private final class Installed: Sendable {
    let tracer: any Tracer
    init(_ tracer: any Tracer) { self.tracer = tracer }
  }

  /// The address of the tracer's holder, or 0. No lock: a forked child or a signal handler might find it held for good.
  private static let installed = Atomic<UInt>(0)

  private static var tracer: (any Tracer)? {
    UnsafeRawPointer(bitPattern: installed.load(ordering: .acquiring)).map {
      Unmanaged<Installed>.fromOpaque($0).takeUnretainedValue().tracer
    }
  }

  /// Says who traces; the first to come stays.
  package static func install(_ new: any Tracer) {
    guard installed.load(ordering: .relaxed) == 0 else { return }
    let holder = Unmanaged.passRetained(Installed(new))
    let isFirst = installed.compareExchange(
      expected: 0, desired: UInt(bitPattern: holder.toOpaque()), ordering: .acquiringAndReleasing
    ).exchanged
    if !isFirst { holder.release() }
  }

  /// Whether the tracer is to see every observation.
  package static func showObservations(_ isOn: Bool) {
    showsObservations.store(isOn, ordering: .relaxed)
  }

  /// Whether the tracer is to follow work to other threads.
  package static func carryContext(_ isOn: Bool) {
    carriesContext.store(isOn, ordering: .relaxed)
  }

  /// Observes for the end of a chain. One relaxed load where nobody wants to see it.
  @inlinable
  @inline(__always)
  static func attach<Source: SignalProtocol>(
    _ source: Source, _ observer: @escaping Observer<Source.Element, Source.Error>,
    to chain: ChainDisposable
  ) {
    if showsObservations.load(ordering: .relaxed) {
      attachSlowPath(source, observer, to: chain)
    } else {
      source._attach(observer, to: chain)
    }
  }

  @usableFromInline
  @inline(never)
  static func attachSlowPath<Source: SignalProtocol>(
    _ source: Source, _ observer: @escaping Observer<Source.Element, Source.Error>,
    to chain: ChainDisposable
  ) {
    if let tracer {
      tracer.attach(source, observer, to: chain)
    } else {
      source._attach(observer, to: chain)
    }
  }

  /// What is handed to a queue or a timer instead of `action`. One relaxed load where nobody traces.
  @inline(__always)
  static func carrying(_ action: @escaping () -> Void) -> () -> Void {
    guard let carrier = carrier() else { return action }
    return { carrier(action) }
  }

  /// Returns a function that runs an action later as if it ran now; nil where nobody traces.
  @inline(__always)
  static func carrier() -> Carrier? {
    guard carriesContext.load(ordering: .relaxed), let tracer else { return nil }
    return tracer.carrier()
  }
}
