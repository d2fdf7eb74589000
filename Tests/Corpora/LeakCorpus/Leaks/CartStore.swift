import ReactiveKit

extension LeakCase {
  static let cartStore = cycle(
    "generic-superclass", lanes: ["cart.items"], path: ["closure", ".bag"],
    also: ["CartStore.bag", "Store.bag", "Store<Array<String>>.bag", "Store<[String]>.bag"],
    breaks: "closure",
    .now {
      let store = CartStore()
      store.open()
      Warehouse.items.send("lamp")
      return store
    })
}

enum Warehouse {
  static let items = PassthroughSubject<String, Never>()
}

/// A store for a state of any type.
class Store<State> {
  private let initial: State
  private(set) var state: State
  let bag = DisposeBag()

  init(_ state: State) {
    initial = state
    self.state = state
  }

  func update(_ change: (inout State) -> Void) { change(&state) }
}

final class CartStore: Store<[String]> {
  init() { super.init([]) }

  func open() {
    Warehouse.items
      .traced("cart.items")
      .observeNext { item in self.update { $0.append(item) } }  // observed
      .dispose(in: bag)
  }
}
