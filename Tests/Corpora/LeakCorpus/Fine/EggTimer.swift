import ReactiveKit

extension LeakCase {
  static let eggTimer = fine(
    "own-bag-disposed", lanes: ["egg.minutes"],
    .now {
      boil()
      for minute in 1...4 { Kitchen.minutes.send(minute) }
      return nil
    })
}

enum Kitchen {
  static let minutes = PassthroughSubject<Int, Never>()
}

/// Empties the bag after four minutes, from inside an observer in the bag.
private func boil() {
  let bag = DisposeBag()
  Kitchen.minutes
    .traced("egg.minutes")
    .observeNext { minute in  // observed
      if minute == 4 { bag.dispose() }
    }
    .dispose(in: bag)
}
