import ReactiveKit

extension LeakCase {
  static let countdown = cycle(
    "own-bag", lanes: ["countdown.numbers"], path: ["closure"], breaks: "closure",
    .now {
      countDown()
      Rocket.numbers.send(9)
      return nil
    })
}

enum Rocket {
  static let numbers = PassthroughSubject<Int, Never>()
}

/// Empties the bag at zero, which is never reached. The closure and the bag retain each other.
private func countDown() {
  let bag = DisposeBag()
  Rocket.numbers
    .traced("countdown.numbers")
    .observeNext { number in  // observed
      if number == 0 { bag.dispose() }
    }
    .dispose(in: bag)
}
