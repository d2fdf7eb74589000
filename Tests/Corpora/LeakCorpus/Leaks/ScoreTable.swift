import ReactiveKit

extension LeakCase {
  static let scoreTable = held(
    "property-one-of-many-rows", lanes: ["score.row"], roots: ["Stadium.score"],
    holder: ["discarded"], alive: false,
    .now {
      let table = ScoreTable()
      table.open()
      Stadium.score.value = 1
      table.addGuest()
      table.close()
      Stadium.score.value = 2
      return table
    })
}

enum Stadium {
  static let score = Property(0)
}

/// A table whose rows observe one property. The disposable of one more row is discarded.
final class ScoreTable {
  private var rows = [0, 0, 0, 0, 0]
  private var guest = 0
  private let bag = DisposeBag()

  func open() {
    for row in rows.indices {
      Stadium.score
        .traced("score.row")
        .observeNext { [weak self] in self?.rows[row] = $0 }
        .dispose(in: bag)
    }
  }

  func addGuest() {
    _ =
      Stadium.score
      .traced("score.row")
      .observeNext { [weak self] in self?.guest = $0 }  // observed
  }

  func close() { bag.dispose() }
}
