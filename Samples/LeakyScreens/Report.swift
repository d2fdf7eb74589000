import ReactiveTrace

/// Visits the screens one after another, and returns the subscriptions that they leave behind.
@MainActor
func leaks(of visits: [Lesson.Visit], grace: Duration) async -> [Trace.ActiveSubscription] {
  do {
    try await Trace.expectNoLeaks(grace: grace) {
      for visit in visits { await visit() }
    }
    return []
  } catch let error as Trace.LeakError {
    return error.leaks
  } catch {
    fatalError("A visit throws nothing, but threw \(error)")
  }
}

extension Lesson {
  /// Returns the text to print about the screen.
  func report(_ leaks: [Trace.ActiveSubscription], cured isCured: Bool) -> String {
    var lines = [name]
    if !isCured { lines.append("  mistake: \(mistake)") }
    lines += leaks.isEmpty ? ["  finding: nothing leaks"] : leaks.flatMap(Self.finding)
    if !isCured { lines.append("  cure: \(cure)") }
    return lines.joined(separator: "\n")
  }

  /// The lane, the call that observes, and what keeps the subscription alive.
  ///
  /// The description of a leak also contains its age, which differs from run to run.
  private static func finding(_ leak: Trace.ActiveSubscription) -> [String] {
    var place = "  finding: \(leak.lane)"
    if let observed = leak.observed { place += "  observed at \(observed)" }
    let reason = leak.explanation?.description ?? "leaks with the subscription that it was made for"
    return [place] + reason.split(separator: "\n").map { "    " + $0 }
  }
}
