import ReactiveKit

// A small app whose screens leak on request, in the ways that are common in apps.

/// A screen with a handler, as in many apps.
final class EditorScreen {
  var onSave: (() -> Void)?
  private(set) var saved = 0

  func bindStrongly() { onSave = { self.saved += 1 } }
  func bindWeakly() { onSave = { [weak self] in self?.saved += 1 } }
}

/// A coordinator and its child, which has a strong reference to its delegate.
final class CheckoutCoordinator {
  let payment = PaymentForm()
  func begin() { payment.delegate = self }
}

final class PaymentForm {
  var delegate: CheckoutCoordinator?
}

/// A view model of the main actor that starts tasks.
@MainActor
final class FeedModel {
  private(set) var items: [String] = []
  private var updates: Task<Void, Never>?

  func follow(_ stream: AsyncStream<String>) {
    updates = Task {
      for await item in stream { self.items.append(item) }
    }
  }

  /// Starts a task that ends as soon as it gets a turn on the main actor.
  func load() { Task { self.items.append("loaded") } }

  func close() { updates?.cancel() }
}

actor DownloadQueue {
  private var finished = 0
  private var onFinish: (@Sendable () -> Void)?

  func finish() {
    finished += 1
    onFinish?()
  }

  func retainItself() { onFinish = { _ = self } }
}

/// A screen that observes a signal and retains itself with its observer.
final class PriceScreen {
  let bag = DisposeBag()
  private var prices: [Int] = []

  func open(_ signal: PassthroughSubject<Int, Never>) {
    signal.observeNext { self.prices.append($0) }.dispose(in: bag)
  }
}
