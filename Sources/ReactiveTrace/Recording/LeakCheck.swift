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
  let scope: Trace.LeakScope
  /// The ID of the last subscription of each recorder when the check began.
  private let starts: [(recorder: Recorder, id: Int)]
  /// The process that makes the check. A child of this process must not touch the locks, so a check
  /// doesn't find leaks there.
  private let process = ProcessHooks.generation

  /// The recorders that can get new subscriptions now.
  private let recorders: @Sendable () -> [Recorder]

  init(
    _ scope: Trace.LeakScope = .body, outer: LeakCheck? = nil,
    recorders: @escaping @Sendable () -> [Recorder]
  ) {
    self.scope = scope
    self.outer = outer
    self.recorders = recorders
    starts = recorders().map { ($0, $0.subscriptions.latest) }
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

  /// The live subscriptions that belong to the check.
  var mine: [TracedSubscription] {
    isOurs ? state.withLock { $0.subscriptions }.filter { !$0.hasEnded } : []
  }

  /// The live subscriptions that code outside any check made since this check began.
  var elsewhere: [TracedSubscription] {
    guard isOurs else { return [] }
    let new = recorders().filter { recorder in
      !starts.contains { $0.recorder === recorder }
    }
    return (starts + new.map { ($0, 0) }).flatMap { start in
      start.recorder.liveSubscriptions.all.filter {
        $0.check == nil && $0.id > start.id && !$0.hasEnded
      }
    }
  }
}
