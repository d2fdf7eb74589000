import ReactiveKit
import Synchronization
import TraceFormat

/// An observation of which it is not known yet whether a lane records it.
///
/// It has its id, which what is observed meanwhile carries upstream. A lane by way of which the whole of it is observed takes the id
/// over; else it becomes a subscription of its own, under the name of its place, at its first event or when all of it is observed.
class BeginningObservation {
  private enum Phase {
    static let open = 0
    static let begins = 1
    static let taken = 2
  }

  let recorder: Recorder
  let id: Int
  /// The one that the thread was beginning before; not held once this one has begun.
  private(set) var outer: BeginningObservation?
  private let type: String
  private let parent: TraceToken
  private let stack: CallStack
  private let phase = Atomic<Int>(Phase.open)
  private let made = AtomicLazyReference<TracedSubscription>()

  init(
    _ recorder: Recorder, type: String, parent: TraceToken, outer: BeginningObservation?,
    stack: CallStack
  ) {
    self.recorder = recorder
    self.type = type
    self.parent = parent
    self.outer = outer
    self.stack = stack
    id = recorder.subscriptions.next()
  }

  deinit { made.load()?.released() }

  /// The thread begins this one from now on, until `endBeginning`.
  func startBeginning() { ThreadContext.current.pointee.beginning = self }

  func endBeginning() {
    ThreadContext.current.pointee.beginning = outer
    outer = nil
    _ = subscription()
  }

  var token: TraceToken { TraceToken(id: id, in: recorder) }

  /// Whether a lane may be this observation; true for the first that asks before the observation became a subscription.
  func isTaken() -> Bool {
    phase.compareExchange(
      expected: Phase.open, desired: Phase.taken, ordering: .acquiringAndReleasing
    ).exchanged
  }

  /// What it was made for.
  var parentSubscription: TracedSubscription? { recorder.subscription(of: parent) }

  /// The subscription that it is, which begins now where it has not; nil where a lane took it over.
  @inline(__always)
  func subscription() -> TracedSubscription? { made.load() ?? subscriptionSlowPath() }

  @inline(never)
  private func subscriptionSlowPath() -> TracedSubscription? {
    // A child process must not touch the locks of its parent's log.
    guard recorder.isOpen else { return nil }
    let (isMine, known) = phase.compareExchange(
      expected: Phase.open, desired: Phase.begins, ordering: .acquiringAndReleasing)
    guard isMine else { return known == Phase.taken ? nil : waitForOther() }
    return made.storeIfNil(
      TracedSubscription(
        recorder: recorder, id: id,
        site: TraceSite(
          lane: recorder.places.place(of: stack).lane, operator: .observe, frames: stack.text),
        type: type,
        parent: parentSubscription,
        cause: ThreadContext.current.pointee.delivering.id(in: recorder),
        scope: TraceScope.current))
  }

  /// Another thread writes its beginning right now: no record of it may come before that. A sink of the user's that takes longer than
  /// a moment is not waited for.
  private func waitForOther() -> TracedSubscription? {
    let clock = LogClock()
    while made.load() == nil, clock.now < 100_000_000 { LogClock.yield() }
    return made.load()
  }
}

extension Recorder {
  /// The subscription of a token; where it is an observation that the thread is beginning, it becomes one of its own.
  func subscription(of token: TraceToken) -> TracedSubscription? {
    guard isOpen, let id = token.id(in: self) else { return nil }
    return beginning(id)?.subscription() ?? liveSubscriptions.subscription(id)
  }

  /// The observation of this id that the calling thread is beginning.
  private func beginning(_ id: Int) -> BeginningObservation? {
    var candidate = ThreadContext.current.pointee.beginning
    while let observation = candidate, observation.id != id || observation.recorder !== self {
      candidate = observation.outer
    }
    return candidate
  }

  /// Has an operator that traces take over the observation that it is observed for, where it is all of it: returns the id, and what
  /// that was made for. Nil where there is no such observation.
  func takeOver(_ token: TraceToken) -> (id: Int, parent: TracedSubscription?)? {
    guard isOpen, token.isWhole, let id = token.id(in: self) else { return nil }
    if let observation = beginning(id), observation.isTaken() {
      return (id, observation.parentSubscription)
    }
    // It waited for something before it came this far, as `subscribe(on:)` does: it goes on under the lane's name.
    guard let observed = liveSubscriptions.subscription(id), observed.site.operator == .observe else {
      return nil
    }
    observed.disposed()
    return (subscriptions.next(), observed.parent)
  }
}
