import ReactiveTrace

extension Lesson {
  /// Visits the screen, and returns the subscriptions that it leaves.
  @MainActor
  func leaks(cured isCured: Bool) async -> [Trace.ActiveSubscription] {
    do {
      // Everything that ends with a screen ends at once, except for a canceled Task.
      try await Trace.expectNoLeaks(grace: isCured ? .seconds(5) : .zero) {
        await (isCured ? cured : leaky)()
      }
      return []
    } catch let error as Trace.LeakError {
      return error.leaks
    } catch {
      fatalError("A visit throws nothing, but threw \(error)")
    }
  }

  /// Returns what to print about the screen.
  func report(_ leaks: [Trace.ActiveSubscription], cured isCured: Bool) -> String {
    var lines = [name]
    if !isCured { lines.append("  mistake: \(mistake)") }
    lines += leaks.isEmpty ? ["  finding: nothing leaks"] : leaks.flatMap(Self.finding)
    if !isCured { lines.append("  cure: \(cure)") }
    return lines.joined(separator: "\n")
  }

  /// The lane, the call that observes, and what keeps the subscription alive.
  ///
  /// The description of a leak also says its age, which is another one in each run.
  private static func finding(_ leak: Trace.ActiveSubscription) -> [String] {
    var place = "  finding: \(leak.lane)"
    if let observed = leak.observed { place += "  observed at \(observed)" }
    let reason = leak.explanation?.description ?? "leaks with the subscription that it was made for"
    return [place] + reason.split(separator: "\n").map { "    " + $0 }
  }
}
