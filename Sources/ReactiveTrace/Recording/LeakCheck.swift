import ReactiveKit
import TraceFormat

/// The subscriptions that were made during one leak check.
package final class LeakCheck: Sendable {
  private struct State {
    var subscriptions: [TracedSubscription] = []
    var limit = 64
    var isClosed = false
  }

  private let state = Guarded(State())
  /// The enclosing check. It gets the subscriptions that are made after this check ends.
  private let outer: LeakCheck?
  private let scope: Trace.LeakScope
  /// The ID of the last subscription of each recorder when the check began.
  private let starts: [(recorder: Recorder, id: Int)]
  /// The process that makes the check. A child of this process must not touch the locks, so a check
  /// doesn't find leaks there.
  private let process = ProcessHooks.generation

  init(_ scope: Trace.LeakScope = .body, outer: LeakCheck? = nil) {
    self.scope = scope
    self.outer = outer
    starts = TracingState.recorders.map { ($0, $0.subscriptions.latest) }
  }

  private var isOurs: Bool { process == ProcessHooks.generation }

  func note(_ subscription: TracedSubscription) {
    guard isOurs else { return }
    let ended = state.withLock { state -> [TracedSubscription]? in
      guard !state.isClosed else { return nil }
      state.subscriptions.append(subscription)
      guard state.subscriptions.count > state.limit else { return [] }
      // Ended subscriptions don't have to be retained.
      let all = state.subscriptions
      state.subscriptions.removeAll { $0.hasEnded }
      state.limit = max(64, 2 * state.subscriptions.count)
      return all
    }
    if ended == nil { outer?.note(subscription) }
  }

  /// Releases all subscriptions, because they retain the check.
  func close() {
    guard isOurs else { return }
    let all = state.withLock { state in
      state.isClosed = true
      defer { state.subscriptions = [] }
      return state.subscriptions
    }
    withExtendedLifetime(all) {}
  }

  /// The verdict about the subscriptions that the check judges.
  var verdict: LeakVerdict {
    guard isOurs else { return LeakVerdict([]) }
    let mine = state.withLock { $0.subscriptions }.filter { !$0.hasEnded }
    return LeakVerdict(scope == .body ? mine : (mine + elsewhere).sorted { $0.id < $1.id })
  }

  /// The leaks that code outside any check made since this check began, and that it doesn't judge.
  var others: [TracedSubscription] { scope == .body ? LeakVerdict(elsewhere).leaks : [] }

  private var elsewhere: [TracedSubscription] {
    guard isOurs else { return [] }
    let new = TracingState.recorders.filter { recorder in
      !starts.contains { $0.recorder === recorder }
    }
    return (starts + new.map { ($0, 0) }).flatMap { start in
      start.recorder.liveSubscriptions.all.filter {
        $0.check == nil && $0.id > start.id && !$0.hasEnded
      }
    }
  }
}
