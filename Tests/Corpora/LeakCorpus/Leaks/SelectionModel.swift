import ReactiveKit

extension LeakCase {
  static let selectionModel = cycle(
    "captured-variable", lanes: ["selection.rows"], path: ["closure", "SelectionModel.bag"],
    .now {
      let model = SelectionModel()
      model.open()
      Mouse.rows.send(4)
      return model
    })
}

enum Mouse {
  static let rows = PassthroughSubject<Int, Never>()
}

/// A model that stores the selected target in a variable, which the closure may clear.
final class SelectionModel {
  private var row = 0
  private let bag = DisposeBag()

  func open() {
    var target: SelectionModel? = self
    Mouse.rows
      .traced("selection.rows")
      .observeNext { row in  // observed
        target?.row = row
        if row < 0 { target = nil }
      }
      .dispose(in: bag)
  }
}
