import ReactiveKit

extension LeakCase {
  static let counterScreen = cycle(
    "nested-function", lanes: ["counter.steps"],
    path: ["CounterScreen.bag"],
    .now {
      let screen = CounterScreen()
      screen.open()
      Pedometer.steps.send(8)
      return screen
    })
}

enum Pedometer {
  static let steps = PassthroughSubject<Int, Never>()
}

/// A screen that observes with a nested function, which retains it without writing `self`.
final class CounterScreen {
  private var steps = 0
  private let bag = DisposeBag()

  func open() {
    func update(_ new: Int) { steps += new }
    Pedometer.steps
      .traced("counter.steps")
      .observeNext(with: update)  // observed
      .dispose(in: bag)
  }
}
