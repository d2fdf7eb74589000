import Dispatch
import Synchronization

/// A simulated bank. It answers later, on a queue of its own.
final class Bank: Sendable {
  typealias Completion = @Sendable (Result<Void, PaymentError>) -> Void

  private let queue = DispatchQueue(label: "bank")
  private let payments = Mutex(Payments())
  private let makesMistakes: Bool

  /// The payments that the bank hasn't answered.
  private struct Payments {
    var count = 0
    var pending: [Int: Completion] = [:]
  }

  private enum Answer {
    case approved
    case declined
  }

  init(makesMistakes: Bool) {
    self.makesMistakes = makesMistakes
  }

  /// Charges a card. The completion is called once, on the queue of the bank.
  func charge(_ cents: Int, to card: String, completion: @escaping Completion) {
    let number = payments.withLock { payments in
      payments.count += 1
      payments.pending[payments.count] = completion
      return payments.count
    }
    queue.async { [self] in
      receive(card.hasSuffix("0") ? .declined : .approved, for: number)
    }
  }

  private func receive(_ answer: Answer, for number: Int) {
    switch answer {
    case .approved:
      finish(number, .success(()))
    case .declined where makesMistakes:
      // The mistake: the completion of this payment is never called.
      break
    case .declined:
      finish(number, .failure(PaymentError(description: "The card was declined.")))
    }
  }

  private func finish(_ number: Int, _ result: Result<Void, PaymentError>) {
    let completion = payments.withLock { $0.pending.removeValue(forKey: number) }
    completion?(result)
  }
}

struct PaymentError: Error, CustomStringConvertible {
  let description: String
}
