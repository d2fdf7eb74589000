/// A mistake that leaks a subscription, and its cure. Someone opens a screen, uses it and closes it.
struct Lesson: Sendable {
  /// The name of the screen that makes the mistake.
  let name: String
  /// The lane of what the screen observes.
  let lane: String
  /// A sentence that says what is wrong.
  let mistake: String
  /// A sentence that says what to do instead.
  let cure: String
  /// A visit to the screen that makes the mistake.
  let leaky: Visit
  /// A visit to the screen that does not make it.
  let cured: Visit

  typealias Visit = @MainActor @Sendable () async -> Void

  static let all: [Lesson] = [
    profile, checkout, article, login, route, workout, chat, inbox, weather, settings, gallery,
    stocks,
  ]
}
