import TaskInspection
import Testing

private let number = 1
private let watches: [Task<Void, Never>] = []

private struct PaymentError: Error {
  let description: String
}

private func finish(_ number: Int, _ result: Result<Void, PaymentError>) {}
