import ReactiveKit

extension LeakCase {
  static let balanceDial = fine(
    "combine-latest-unowned", lanes: ["dial.level"],
    .now {
      let dial = BalanceDial()
      dial.open()
      Speakers.left.value = 1
      return dial
    })
}

enum Speakers {
  static let left = Property(0)
  static let right = Property(0)
}

/// A dial that joins two properties in its own method.
final class BalanceDial {
  private var level = 0
  private let bag = DisposeBag()

  func open() {
    Speakers.left
      .combineLatest(with: Speakers.right) { [unowned self] in mix($0, $1) }
      .traced("dial.level")
      .observeNext { [unowned self] in level = $0 }  // observed
      .dispose(in: bag)
  }

  private func mix(_ left: Int, _ right: Int) -> Int { left + right }
}
