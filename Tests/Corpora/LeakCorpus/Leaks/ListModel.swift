import ReactiveKit

extension LeakCase {
  static let listModel = cycle(
    "generic-view-model", lanes: ["list.items"], path: ["closure", "ListModel", ".bag"],
    also: ["ListModel<String>.bag", "ListModel.bag"], breaks: "closure",
    .now {
      let model = ListModel<String>()
      model.load(from: Library.titles)
      Library.titles.send(["Swift"])
      return model
    })
}

enum Library {
  static let titles = PassthroughSubject<[String], Never>()
}

/// A list of any kind of item.
final class ListModel<Item> {
  private var items: [Item] = []
  private let bag = DisposeBag()

  func load(from source: PassthroughSubject<[Item], Never>) {
    source
      .traced("list.items")
      .observeNext { self.items = $0 }  // observed
      .dispose(in: bag)
  }
}
