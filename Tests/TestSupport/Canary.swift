/// An object for a pipeline to capture, so that a test sees whether the pipeline let go of it.
package final class Canary {
  private let onDeinit: () -> Void

  package init(onDeinit: @escaping () -> Void = {}) {
    self.onDeinit = onDeinit
  }

  deinit {
    onDeinit()
  }

  /// Does nothing; a closure that calls it captures the canary.
  package func sing() {}
}

/// Gives `body` a canary to capture, and says whether it is gone although what `body` returns is still held.
package func isFreed<Kept>(_ body: (Canary) throws -> Kept) rethrows -> Bool {
  weak var canary: Canary?
  let kept = try withCanary { made in
    canary = made
    return try body(made)
  }
  return withExtendedLifetime(kept) { canary == nil }
}

// A function of its own, so that no variable of the caller keeps the canary.
@inline(never)
private func withCanary<Kept>(_ body: (Canary) throws -> Kept) rethrows -> Kept {
  try body(Canary())
}
