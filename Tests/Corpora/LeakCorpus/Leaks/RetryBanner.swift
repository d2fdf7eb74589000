import ReactiveKit

extension LeakCase {
  static let retryBanner = cycle(
    "own-disposable", lanes: ["banner.attempts"], path: ["closure"], breaks: "closure",
    .now {
      waitForSuccess()
      Connection.attempts.send(1)
      return nil
    })
}

enum Connection {
  static let attempts = PassthroughSubject<Int, Never>()
}

/// Stops after the third attempt, which never happens. No object is involved: the closure captures
/// the variable that contains its own disposable.
private func waitForSuccess() {
  var subscription: (any Disposable)?
  subscription = Connection.attempts
    .traced("banner.attempts")
    .observeNext { attempt in  // observed
      if attempt == 3 { subscription?.dispose() }
    }
}
