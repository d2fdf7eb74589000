/// A mistake that leaks a subscription, and its cure. A visit opens, uses and closes a screen.
struct Lesson: Sendable {
  /// The name of the screen that makes the mistake.
  let name: String
  /// The lane of the signal that the screen observes.
  let lane: String
  /// A sentence that describes the mistake.
  let mistake: String
  /// A sentence that describes the cure.
  let cure: String
  /// A visit to the screen that makes the mistake.
  let leaky: Visit
  /// A visit to the screen without the mistake.
  let cured: Visit

  typealias Visit = @MainActor @Sendable () async -> Void

  static let all: [Lesson] = [
    profile, checkout, article, login, route, workout, chat, inbox, weather, settings, gallery,
    stocks,
  ]
}
