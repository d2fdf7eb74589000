import ReactiveKit

extension LeakCase {
  static let limitedAttempts = fine(
    "own-disposable-disposed", lanes: ["limited.attempts"],
    .now {
      waitForThirdAttempt()
      for attempt in 1...3 { LimitedServer.attempts.send(attempt) }
      return nil
    })
}

enum LimitedServer {
  static let attempts = PassthroughSubject<Int, Never>()
}

/// Stops after the third attempt with a disposable that the closure captures.
private func waitForThirdAttempt() {
  var subscription: (any Disposable)?
  subscription = LimitedServer.attempts
    .traced("limited.attempts")
    .observeNext { attempt in  // observed
      if attempt == 3 { subscription?.dispose() }
    }
}
