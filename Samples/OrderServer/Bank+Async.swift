/// The bank, for code that uses `async` and `await`.
extension Bank {
  /// Charges a card, and returns when the bank has answered.
  func charge(_ cents: Int, to card: String) async throws {
    try await withCheckedThrowingContinuation { continuation in
      charge(cents, to: card) { continuation.resume(with: $0) }
    }
  }
}
