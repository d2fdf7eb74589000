import ReactiveKit
import TraceFormat

extension Trace {
  /// Explains why a subscription is still alive: the retain cycle through it, or its holder.
  ///
  ///     print(Trace.explain(subscription: 12) ?? "it has ended")
  ///
  ///     kept alive by a cycle:
  ///       closure at Search.swift:26     captures self strongly      <- break it here: [weak self]
  ///       SearchScreen.bag               DisposeBag
  ///       subscription of results        #12
  ///
  /// This searches the memory of the process on the calling thread. It takes a few milliseconds for
  /// each 10 MB, and several times as long in unoptimized programs. The first call takes longer,
  /// because it reads the debug information. Meanwhile, the search takes up to 512 MB, but at most
  /// a quarter of the memory that the machine or the container has available. It neither calls code
  /// of the program nor stops other threads. It works best while other threads don't change the
  /// objects in question. Don't call it from a signal handler, where the result is nil.
  ///
  /// If a log is written, the explanation is also in the log.
  ///
  /// - Parameters:
  ///   - id: The ID of the subscription: `ActiveSubscription.id`, `Subscription.id`, or `sub` in
  ///     the log that is being written.
  ///   - limit: The time limit for the search.
  /// - Returns: The explanation, or nil if there isn't a live subscription with that ID.
  public static func explain(
    subscription id: Int, limit: Duration = .seconds(2)
  ) -> Explanation? {
    guard id > 0, LeakExplanations.mayBegin,
      let subscription = Recorder.current?.liveSubscriptions.subscription(id),
      !subscription.hasEnded
    else { return nil }
    guard subscription.chainAddress != 0 else {
      return Explanation(Retention(kind: .none, limit: .notAnObservation))
    }
    let explanations = LeakExplanations.record([subscription], limit: limit.inNanoseconds)
    if let found = explanations[ObjectIdentifier(subscription)] { return Explanation(found) }
    return subscription.hasEnded ? nil : Explanation(Retention(kind: .none, limit: .time))
  }
}

extension Duration {
  /// The duration in nanoseconds, from 0 to an hour.
  var inNanoseconds: Int {
    let (seconds, attoseconds) = min(max(self, .zero), .seconds(3600)).components
    return Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
  }
}
