import ReactiveKit

extension LeakCase {
  static let cursorModel = fine(
    "captured-variable-cleared", lanes: ["cursor.rows"],
    .now {
      let model = CursorModel()
      model.open()
      Trackpad.rows.send(4)
      Trackpad.rows.send(-1)
      return model
    })
}

enum Trackpad {
  static let rows = PassthroughSubject<Int, Never>()
}

/// A model that stores the target in a variable, which the closure clears at the end.
final class CursorModel {
  private var row = 0
  private let bag = DisposeBag()

  func open() {
    var target: CursorModel? = self
    Trackpad.rows
      .traced("cursor.rows")
      .observeNext { row in  // observed
        target?.row = row
        if row < 0 { target = nil }
      }
      .dispose(in: bag)
  }
}
