import ReactiveKit
import TraceFormat

extension Trace {
  /// The life of something that is no signal: a socket, a task, a screen.
  ///
  ///     let upload = Trace.Subscription(name: "upload")
  ///     upload.begin()
  ///     upload.event("50 %")
  ///     upload.end()
  ///
  /// Any thread may call it. Where it goes away without an end, the log says `released`.
  public final class Subscription: Sendable {
    private enum State {
      case new
      case alive(TracedSubscription?)
      case over
    }

    private let site: TraceSite
    private let type: String
    private let livesUntilExit: Bool
    private let state = Guarded(State.new)

    /// Nothing is written before `begin`.
    public init(
      name: String? = nil, type: String = "-", lifetime: Lifetime = .normal,
      file: String = #fileID, function: String = #function, line: Int = #line
    ) {
      let source = "\(file):\(line)"
      site = TraceSite(lane: name ?? source, operator: .lane, source: source, function: function)
      self.type = type
      livesUntilExit = lifetime == .process
    }

    deinit {
      alive?.released()
    }

    /// The id in the log; nil where it is not traced.
    public var id: Int? { alive?.id }

    /// Writes that it began. A second call does nothing.
    public func begin() {
      guard isFree else { return }
      // Nobody else may begin it; then it is made where no lock is held, as that runs the code of sinks.
      let isFirst = state.withLock { state in
        guard case .new = state else { return false }
        state = .alive(nil)
        return true
      }
      guard isFirst, let subscription = Recorder.current.flatMap(makeSubscription) else { return }
      let isOver = state.withLock { state in
        guard case .alive = state else { return true }
        state = .alive(subscription)
        return false
      }
      // It ended while it began.
      if isOver { subscription.completed() }
    }

    /// Writes an element; its text is made only where it is written.
    public func event(_ value: @autoclosure () -> String) {
      guard isFree, let subscription = alive else { return }
      subscription.nextConcurrently(
        text: subscription.recorder.options.recordsValues ? value() : nil)
    }

    /// Writes that it ended: completed, or failed with an error. What comes later is not written.
    public func end(_ error: (any Error)? = nil) {
      finish { subscription in
        if let error { subscription.failed(with: error) } else { subscription.completed() }
      }
    }

    /// Writes that it was called off.
    public func cancel() {
      finish { $0.disposed() }
    }

    /// Runs `body` for this subscription: what is made meanwhile on this thread has it for its cause.
    public func delivering<Result, Failure: Error>(
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
        defer { state = .over }
        if case .alive(let subscription) = state { return subscription }
        return nil
      }
      if let last { write(last) }
    }

    /// False for a signal handler that has interrupted the recorder, whose record is lost.
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

    private func makeSubscription(_ recorder: Recorder) -> TracedSubscription? {
      guard recorder.wants(site.lane, .all) else { return nil }
      let thread = ThreadContext.current
      return TracedSubscription(
        recorder: recorder, site: site, type: type,
        parent: recorder.subscription(of: thread.pointee.observing),
        cause: thread.pointee.delivering.id(in: recorder), scope: TraceScope.current,
        lifetimeIsProcess: livesUntilExit)
    }
  }
}
