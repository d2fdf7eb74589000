import ReactiveKit

extension LeakCase {
  static let recordShelf = cycle(
    "derived-collection", lanes: ["shelf.titles"],
    path: ["closure", "RecordShelf.bag"], breaks: "closure",
    .now {
      let shelf = RecordShelf()
      shelf.open()
      RecordStore.records.append("Blue Train")
      return shelf
    })
}

enum RecordStore {
  static let records = ObservableCollection(["Kind of Blue"])
}

/// A shelf whose derived collection retains it through a closure. Its observer is weak.
final class RecordShelf {
  private var prefix = "LP: "
  private var shown = 0
  private let bag = DisposeBag()

  func open() {
    let titles = RecordStore.records.map { self.prefix + $0 }  // observed
    titles
      .traced("shelf.titles")
      .observeNext { [weak self] in self?.shown = $0.collection.count }  // observed
      .dispose(in: bag)
  }
}
