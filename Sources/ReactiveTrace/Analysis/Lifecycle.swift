/// The life of one subscription, as far as the log tells it.
package struct Lifecycle: Sendable {
  package enum State: Int, CaseIterable, Sendable {
    case active, completed, failed, disposed, released
  }

  package let id: SubscriptionID
  package var site: Site
  package var parent: SubscriptionID?
  package var cause: SubscriptionID?
  package var livesUntilExit = false
  package var start: Nanoseconds
  /// `nil` while it is active.
  package var end: Nanoseconds?
  package var state = State.active
  package var elements = 0
  package var last: LastEvent
  /// Where its first record stands.
  package let firstLine: Int
  /// Whether its `subscribe` was in the log.
  package var hasSubscribe: Bool
  /// Whether only a repetition of it was, in a further file of the log.
  package var isRestated = false

  /// The latest thing that happened to a subscription, whose text can be read again where it stands.
  package struct LastEvent: Sendable {
    package var kind: LogFormat.Event
    package var time: Nanoseconds
    package var place: TraceRecord.Place
  }

  package var isActive: Bool {
    state == .active
  }

  /// Whether it is active though nobody declared that it lives until exit.
  package var isUnexpectedlyActive: Bool {
    isActive && !livesUntilExit
  }

  /// How long it lived; `nil` while it is active.
  package var life: Nanoseconds? {
    end?.since(start)
  }
}
