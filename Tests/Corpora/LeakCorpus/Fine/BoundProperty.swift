import ReactiveKit

extension LeakCase {
  static let boundProperty = fine(
    "bind-property-gone", lanes: ["sum.amounts"],
    .now {
      let basket = BoundProperty()
      Till.amounts.send(3)
      return basket
    })
}

enum Till {
  static let amounts = PassthroughSubject<Int, Never>()
}

/// An object that binds to its own property, and transforms elements without capturing itself.
final class BoundProperty {
  private let sum = Property("")

  init() {
    let currency = "EUR"
    Till.amounts
      .traced("sum.amounts")
      .map { "\($0) \(currency)" }
      .bind(to: sum)  // observed
  }
}
