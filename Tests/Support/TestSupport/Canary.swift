/// An object for a pipeline to capture, so that a test can check whether the pipeline released it.
package final class Canary {
  private let onDeinit: () -> Void

  package init(onDeinit: @escaping () -> Void = {}) {
    self.onDeinit = onDeinit
  }

  deinit {
    onDeinit()
  }

  /// Does nothing. A closure that calls this method captures the canary.
  package func sing() {}
}

/// Gives `body` a canary to capture, and reports whether the canary is freed while the result of
/// `body` is still held.
package func isFreed<Kept>(_ body: (Canary) throws -> Kept) rethrows -> Bool {
  weak var canary: Canary?
  let kept = try withCanary { made in
    canary = made
    return try body(made)
  }
  return withExtendedLifetime(kept) { canary == nil }
}

// A separate function, so that no variable of the caller keeps the canary.
@inline(never)
private func withCanary<Kept>(_ body: (Canary) throws -> Kept) rethrows -> Kept {
  try body(Canary())
}
