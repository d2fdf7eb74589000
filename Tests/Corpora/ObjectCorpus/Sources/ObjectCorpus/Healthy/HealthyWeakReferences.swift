extension ObjectCase {
  /// One direction isn't a strong reference.
  static var healthyWeakReferences: [ObjectCase] {
    [
      .healthy("weak-delegate", alive: [:]) {
        let view = WeakView()
        view.presenter = WeakPresenter(view)
      },
      .healthy("weak-delegate-reachable", alive: ["WeakView": 1, "WeakPresenter": 1]) {
        let view = WeakView()
        view.presenter = WeakPresenter(view)
        WeakView.current = view
      },
      .healthy("unowned-reference", alive: [:]) {
        let view = WeakView()
        view.badge = UnownedBadge(view)
      },
      .healthy("unowned-reference-reachable", alive: ["WeakView": 1, "UnownedBadge": 1]) {
        let view = WeakView()
        view.badge = UnownedBadge(view)
        WeakView.current = view
      },
      .healthy("unowned-unsafe-reference", alive: ["WeakView": 1, "UnsafeBadge": 1]) {
        let view = WeakView()
        view.unsafeBadge = UnsafeBadge(view)
        WeakView.current = view
      },
      .healthy("weak-self", alive: [:]) {
        let item = Item()
        item.action = { [weak item] in item?.use() }
      },
      .healthy("weak-self-reachable", alive: ["Item": 1]) {
        let item = Item()
        item.action = { [weak item] in item?.use() }
        globalItem = item
      },
      .healthy("unowned-self", alive: [:]) {
        let item = Item()
        item.action = { [unowned item] in item.use() }
      },
      .healthy("unowned-unsafe-self", alive: ["Item": 1]) {
        let item = Item()
        item.action = { [unowned(unsafe) item] in item.use() }
        globalItem = item
      },
      .healthy("captured-value-of-self", alive: [:]) {
        let item = Item()
        item.action = { [number = item.number] in precondition(number == 0) }
      },
      .healthy("weak-boxes", alive: ["Item": 2]) {
        let items = (0..<4).map { Item(number: $0) }
        WeakItem.all = items.map(WeakItem.init)
        Statics.array = items.filter { $0.number < 2 }
      },
      // The objects are deinitialized, but references without a retain count have their memory.
      .healthy("unowned-to-deinitialized", alive: [:]) {
        for _ in 0..<3 {
          let item = Item()
          UnownedItem.all.append(UnownedItem(item: item))
        }
      },
      .healthy("weak-to-deinitialized", alive: [:]) {
        for _ in 0..<3 {
          let item = Item()
          WeakItem.all.append(WeakItem(item: item))
        }
      },
      .healthy("weak-both-ways", alive: [:]) {
        let items = [Item(), Item()]
        items[0].action = { [weak other = items[1]] in other?.use() }
        items[1].action = { [weak other = items[0]] in other?.use() }
      },
    ]
  }
}

private final class WeakView {
  static var current: WeakView?

  var presenter: WeakPresenter?
  var badge: UnownedBadge?
  var unsafeBadge: UnsafeBadge?

  init() { Life.begin(self, "WeakView") }
  deinit { Life.end("WeakView") }
}

private final class WeakPresenter {
  private weak var view: WeakView?

  init(_ view: WeakView) {
    self.view = view
    Life.begin(self, "WeakPresenter")
  }
  deinit { Life.end("WeakPresenter") }
}

private final class UnownedBadge {
  private unowned let view: WeakView

  init(_ view: WeakView) {
    self.view = view
    Life.begin(self, "UnownedBadge")
  }
  deinit { Life.end("UnownedBadge") }
}

private final class UnsafeBadge {
  private unowned(unsafe) let view: WeakView

  init(_ view: WeakView) {
    self.view = view
    Life.begin(self, "UnsafeBadge")
  }
  deinit { Life.end("UnsafeBadge") }
}

private struct WeakItem {
  static var all: [WeakItem] = []

  weak var item: Item?
}

private struct UnownedItem {
  static var all: [UnownedItem] = []

  unowned let item: Item
}
