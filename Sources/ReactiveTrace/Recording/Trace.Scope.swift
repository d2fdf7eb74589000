import ReactiveKit
import Synchronization
import SystemLibrary
import TraceFormat

extension Trace {
  /// A scope of the log whose begin and end aren't those of one function, such as a span of another
  /// library. Use `withScope` if they are.
  public struct Scope: Sendable, Equatable {
    let scope: TraceScope

    init(_ scope: TraceScope) { self.scope = scope }

    /// The scope in which the calling code runs, or nil.
    public static var current: Scope? { TraceScope.current.map { Scope($0) } }

    /// Begins a scope. Returns nil if tracing is off, or if a sink takes a record on this thread.
    ///
    /// Code doesn't run in this scope by itself: a `ScopeCarrier` decides what does.
    public init?(_ name: @autoclosure () -> String, inside outer: Scope? = .current) {
      guard let recorder = Recorder.current, !Inside.isInside,
        ThreadContext.current.pointee.sinkDepth == 0
      else { return nil }
      self.init(recorder.begin(name(), inside: outer?.scope))
    }

    /// Writes the end of the scope. A second call has no effect, nor does one after the log has
    /// ended.
    public func end() {
      if let recorder, scope.belongs(to: recorder) { recorder.end(scope) }
    }

    /// The ID of the scope in the log, or nil for that of a leak check.
    public var id: Int? { scope.number > 0 ? scope.number : nil }

    /// The name. The log gets a new one with the end of the scope, and readers then use it for the
    /// whole scope.
    public var name: String {
      get { scope.name }
      nonmutating set { scope.name = newValue }
    }

    /// The random ID of the log, which is in its first line as `trace`. It is nil after the log has
    /// ended.
    public var logID: String? {
      recorder.flatMap { scope.belongs(to: $0) ? $0.identity.trace : nil }
    }

    private var recorder: Recorder? { Recorder.current }

    public static func == (first: Scope, second: Scope) -> Bool { first.scope === second.scope }
  }

  /// A library with scopes of its own, which carries them from task to task in its own way.
  ///
  /// The recorder asks the carrier for each subscription that begins, and makes it run the body of
  /// each `withScope`. Events inside the carrier's functions are traced like all others.
  public protocol ScopeCarrier: Sendable {
    /// The scope of the library in which the calling code runs, or nil.
    var current: Scope? { get }

    /// Runs the body of a scope that `withScope` has begun.
    func run<Result, Failure: Error>(
      _ scope: Scope, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result

    /// Runs the asynchronous body of a scope that `withScope` has begun.
    func run<Result, Failure: Error>(
      _ scope: Scope, isolation: isolated (any Actor)?,
      _ body: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result
  }

  /// Makes the recorder use a carrier, which replaces the one before. Call it once, when the
  /// program begins. A program that doesn't call it has no cost.
  public static func carryScopes(with carrier: any ScopeCarrier) { ScopeCarriers.use(carrier) }
}

/// The carrier of this process.
enum ScopeCarriers {
  private final class Box: Sendable {
    let carrier: any Trace.ScopeCarrier

    init(_ carrier: any Trace.ScopeCarrier) { self.carrier = carrier }
  }

  /// The address of the current box, or 0. Reading it doesn't take a lock.
  private static let address = Atomic<UInt>(0)
  /// All boxes that `current` can have returned to a thread. They are never deallocated.
  private static let all = Guarded<[Box]>([])

  static var current: (any Trace.ScopeCarrier)? {
    UnsafeRawPointer(bitPattern: address.load(ordering: .acquiring)).map {
      Unmanaged<Box>.fromOpaque($0).takeUnretainedValue().carrier
    }
  }

  /// The scope that the carrier has for the calling code.
  static var carried: TraceScope? { current?.current?.scope }

  static func use(_ carrier: any Trace.ScopeCarrier) {
    let box = Box(carrier)
    all.withLock { $0.append(box) }
    address.store(UInt(bitPattern: Unmanaged.passUnretained(box).toOpaque()), ordering: .releasing)
  }
}
