import ReactiveKit

extension LeakCase {
  static let orderScreen = cycle(
    "two-mistakes-one-screen", lanes: ["order.items", "order.total"],
    path: ["closure", "OrderScreen.bag"], breaks: "closure",
    .now {
      let screen = OrderScreen()
      screen.open()
      OrderDesk.items.send(["tea"])
      OrderDesk.total.send(3)
      return screen
    })
}

enum OrderDesk {
  static let items = PassthroughSubject<[String], Never>()
  static let total = PassthroughSubject<Int, Never>()
  static let notes = PassthroughSubject<String, Never>()
}

/// A screen that two closures retain. Either is enough to leak it. The third one is weak.
final class OrderScreen {
  private var items: [String] = []
  private var total = 0
  private var note = ""
  private let bag = DisposeBag()

  func open() {
    OrderDesk.items
      .traced("order.items")
      .observeNext { self.items = $0 }  // observed
      .dispose(in: bag)
    OrderDesk.total
      .traced("order.total")
      .observeNext { self.total = $0 }  // observed
      .dispose(in: bag)
  }
}
