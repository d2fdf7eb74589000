import ReactiveKit
import SystemLibrary
import TraceFormat

extension Trace {
  /// A traced lifetime of something that isn't a signal: a socket, a task or a screen.
  ///
  ///     let upload = Trace.Subscription(name: "upload")
  ///     upload.begin()
  ///     upload.event("50 %")
  ///     upload.end()
  ///
  /// Any thread can call its methods. If it is deallocated before it ends, the log contains
  /// `released`.
  public final class Subscription: Sendable {
    private enum State {
      case new
      case alive(TracedSubscription?)
      case ended
    }

    private let site: SharedSite
    private let livesUntilExit: Bool
    private let state = Guarded(State.new)

    /// Creates a subscription. Its first record is written by `begin`.
    public init(
      name: String? = nil, type: String = "-", lifetime: Lifetime = .normal,
      file: String = #fileID, function: String = #function, line: Int = #line
    ) {
      site = SharedSite(
        TraceSite(name, file: file, line: line, function: function), type: type)
      livesUntilExit = lifetime == .process
    }

    deinit {
      alive?.released()
    }

    /// The ID in the log, or nil if the subscription isn't traced.
    public var id: Int? { alive?.id }

    /// Writes that the subscription began. A second call has no effect.
    ///
    /// - Parameters:
    ///   - parent: The subscription downstream that this one belongs to. By default, it is the one
    ///     for which the thread observes now.
    ///   - cause: The subscription whose event this one is a consequence of. By default, it is the
    ///     one whose event the thread delivers.
    public func begin(parent: Subscription? = nil, cause: Subscription? = nil) {
      guard isFree else { return }
      // Another thread can't begin it now. It is created outside the lock, because creating it runs
      // the code of sinks.
      let isFirst = state.withLock { state in
        guard case .new = state else { return false }
        state = .alive(nil)
        return true
      }
      guard isFirst, let recorder = Recorder.current,
        let subscription = makeSubscription(recorder, parent?.alive, cause?.alive)
      else { return }
      let hasEnded = state.withLock { state in
        guard case .alive = state else { return true }
        state = .alive(subscription)
        return false
      }
      // The subscription ended while it was beginning.
      if hasEnded { subscription.completed() }
    }

    /// Writes an element. Its text is only created if it is written.
    public func event(_ value: @autoclosure () -> String) {
      guard isFree, let subscription = alive else { return }
      subscription.nextConcurrently(
        text: subscription.recorder.options.recordsValues ? value() : nil)
    }

    /// Writes that the subscription ended: it completed, or it failed with an error. Later calls
    /// have no effect.
    public func end(_ error: (any Error)? = nil) {
      finish { subscription in
        if let error { subscription.failed(with: error) } else { subscription.completed() }
      }
    }

    /// Writes that the subscription was canceled.
    public func cancel() {
      finish { $0.disposed() }
    }

    /// Runs `body` for this subscription. The subscription is the cause of all subscriptions made
    /// on this thread during that time.
    public func withDelivery<Result, Failure: Error>(
      _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
      guard !Inside.isInside, let subscription = alive else { return try body() }
      let outer = TraceToken(id: subscription.id, in: subscription.recorder).beginDelivering()
      defer { TraceToken.end(outer) }
      return try body()
    }

    private func finish(_ write: (TracedSubscription) -> Void) {
      guard isFree else { return }
      let last = state.withLock { state -> TracedSubscription? in
        defer { state = .ended }
        if case .alive(let subscription) = state { return subscription }
        return nil
      }
      if let last { write(last) }
    }

    /// A Boolean value that indicates whether the calling thread can use the recorder. It is false
    /// in a signal handler that interrupted the recorder. The record of that handler is lost.
    private var isFree: Bool {
      guard Inside.isInside else { return true }
      Recorder.current?.lose()
      return false
    }

    private var alive: TracedSubscription? {
      state.withLock { state in
        if case .alive(let subscription) = state { return subscription }
        return nil
      }
    }

    private func makeSubscription(
      _ recorder: Recorder, _ parent: TracedSubscription?, _ cause: TracedSubscription?
    ) -> TracedSubscription? {
      let thread = ThreadContext.current
      guard recorder.options.lanes.matches(site.lane), thread.pointee.sinkDepth == 0 else {
        return nil
      }
      return TracedSubscription(
        recorder: recorder, site: site,
        parent: parent.flatMap { $0.recorder === recorder ? $0 : nil }
          ?? recorder.subscription(of: thread.pointee.observing),
        cause: cause.flatMap { $0.recorder === recorder ? $0.id : nil }
          ?? thread.pointee.delivering.id(in: recorder), scope: TraceScope.current,
        test: recorder.testScope,
        lifetimeIsProcess: livesUntilExit)
    }
  }
}
