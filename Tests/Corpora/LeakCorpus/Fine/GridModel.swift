import ReactiveKit

extension LeakCase {
  static let gridModel = fine(
    "generic-view-model-weak", lanes: ["grid.cells"],
    .now {
      let model = GridModel<Int>()
      model.load(from: Spreadsheet.cells)
      Spreadsheet.cells.send([1, 2])
      return model
    })
}

enum Spreadsheet {
  static let cells = PassthroughSubject<[Int], Never>()
}

/// A grid of any kind of cell.
final class GridModel<Cell> {
  private var cells: [Cell] = []
  private let bag = DisposeBag()

  func load(from source: PassthroughSubject<[Cell], Never>) {
    source
      .traced("grid.cells")
      .observeNext { [weak self] in self?.cells = $0 }  // observed
      .dispose(in: bag)
  }
}
