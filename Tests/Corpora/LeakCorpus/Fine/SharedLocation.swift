import ReactiveKit

extension LeakCase {
  static let sharedLocation = fine(
    "share-all-disposed", lanes: ["location.fixes", "location.row"],
    .now {
      let rows = SharedLocation()
      rows.open()
      Satellite.fixes.send(4)
      return rows
    })
}

enum Satellite {
  static let fixes = PassthroughSubject<Int, Never>()
}

/// An object that shares one subscription between two rows, which both dispose.
final class SharedLocation {
  private var rows = [0, 0]
  private let bag = DisposeBag()

  func open() {
    let fixes = Satellite.fixes.traced("location.fixes").share(limit: 1)
    for row in rows.indices {
      fixes
        .traced("location.row")
        .observeNext { [weak self] in self?.rows[row] = $0 }  // observed
        .dispose(in: bag)
    }
  }
}
