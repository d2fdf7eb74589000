import ReactiveKit

extension LeakCase {
  static let rowPresenter = fine(
    "struct-with-weak-class", lanes: ["row.texts"],
    .now {
      let row = PresentedRow()
      row.open()
      RowSource.texts.send("fine")
      return row
    })
}

enum RowSource {
  static let texts = PassthroughSubject<String, Never>()
}

/// A presenter for a row that it doesn't retain.
struct RowPresenter {
  weak var row: PresentedRow?
  let prefix: String

  func present(_ text: String) { row?.text = prefix + text }
}

final class PresentedRow {
  var text = ""
  private let bag = DisposeBag()

  func open() {
    let presenter = RowPresenter(row: self, prefix: "- ")
    RowSource.texts
      .traced("row.texts")
      .observeNext { presenter.present($0) }  // observed
      .dispose(in: bag)
  }
}
