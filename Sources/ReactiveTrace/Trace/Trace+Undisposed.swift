import SystemLibrary
import TraceFormat

extension Trace {
  /// The subscriptions of the log that haven't ended at one moment, but should have.
  public struct Undisposed: Error, Sendable, CustomStringConvertible {
    /// The subscriptions to dispose, with what keeps them alive.
    public let leaks: [ActiveSubscription]
    /// The subscriptions that are alive only because one of `leaks` is. They end with it.
    public let consequences: [ActiveSubscription]

    /// A heading, and the description of each subscription to dispose.
    public var description: String {
      let noun = leaks.count == 1 ? "subscription" : "subscriptions"
      return (["\(leaks.count) undisposed \(noun)"] + leaks.map { "! \($0)" }).joined(
        separator: "\n")
    }
  }

  /// Returns the subscriptions that haven't ended and that aren't meant to live until the program
  /// exits, as `trace-viewer check` would report them if the log ended now.
  ///
  /// Tasks don't count, because other rules judge them. Returns nil if a log isn't being
  /// written: then nothing is known.
  ///
  /// - Parameters:
  ///   - grace: The time to wait for the subscriptions to end. If all have ended, this function
  ///     returns immediately.
  ///   - limit: The time limit for the search for what keeps them alive.
  public static func undisposed(
    grace: Duration = .zero, limit: Duration = .seconds(2)
  ) async -> Undisposed? {
    guard !Inside.isInside, let recorder = TracingState.log else { return nil }
    var verdict: LeakVerdict { LeakVerdict(recorder.liveSubscriptions.all) }
    await GracePeriod.wait(grace) { verdict.leaks.isEmpty }
    guard recorder.isOpen else { return nil }
    let leaks = verdict
    let roots = leaks.roots().map(\.root)
    let retentions = LeakExplanations.explain(roots, limit: limit.inNanoseconds)
    // One of them may keep another one alive.
    let explained = leaks.roots(retentions)
    return Undisposed(
      leaks: explained.map { ActiveSubscription($0.root, retentions[ObjectIdentifier($0.root)]) },
      consequences: explained.flatMap(\.consequences).map { ActiveSubscription($0) })
  }
}
