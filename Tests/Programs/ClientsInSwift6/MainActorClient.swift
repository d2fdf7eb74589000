import Dispatch
import ReactiveKit

/// A screen that shows a price from any thread.
@MainActor final class PriceScreen: DisposeBagProvider {
  nonisolated let bag = DisposeBag()
  private(set) var price = 0
  private(set) var title = ""
  private(set) var lines: [String] = []

  func show(_ prices: SafeSignal<Int>) {
    prices.observeNextOnMainActor { [weak self] in self?.price = $0 }.dispose(in: bag)
    prices.observeCompletedOnMainActor { [weak self] in self?.lines.append("closed") }
      .dispose(in: bag)
    prices.map { @Sendable in "\($0) EUR" }.bindOnMainActor(to: self) { $0.title = $1 }
    prices.scan(0, +).observeOnMainActor { [unowned self] in lines.append("\($0)") }
      .dispose(in: bag)
  }
}

/// Returns the strings that a screen shows for events from another thread.
@MainActor public func mainActorClient() async -> [String] {
  let prices = PassthroughSubject<Int, Never>()
  let screen = PriceScreen()
  screen.show(prices.toSignal())
  await withCheckedContinuation { (end: CheckedContinuation<Void, Never>) in
    DispatchQueue(label: "client.prices").async {
      prices.send(1)
      prices.send(2)
      prices.send(completion: .finished)
      DispatchQueue.main.async { end.resume() }
    }
  }
  return ["\(screen.price)", screen.title] + screen.lines
}
