import ReactiveKit

extension LeakCase {
  static let wineList = fine(
    "collection-many-observers", lanes: ["wines.view"],
    .now {
      let list = WineList()
      list.open()
      Cellar.wines.append("Merlot")
      Cellar.wines.append("Malbec")
      list.close()
      return list
    })
}

enum Cellar {
  static let wines = ObservableCollection(["Barolo"])
}

/// A list whose three views observe one derived collection, which the list retains.
final class WineList {
  private var counts = [0, 0, 0]
  private var names: DerivedCollection<String>?
  private let bag = DisposeBag()

  func open() {
    let names = Cellar.wines.map { $0.lowercased() }
    self.names = names
    for view in counts.indices {
      names
        .traced("wines.view")
        .observeNext { [weak self] in self?.counts[view] = $0.collection.count }  // observed
        .dispose(in: bag)
    }
  }

  func close() {
    bag.dispose()
    names = nil
  }
}
