import ReactiveKit

extension LeakCase {
  static let reusedCell = fine(
    "bag-replaced", lanes: ["cell.titles"],
    .now {
      let cell = ReusedCell()
      cell.show()
      cell.show()
      CellSource.titles.send("fine")
      cell.prepareForReuse()
      return cell
    })
}

enum CellSource {
  static let titles = PassthroughSubject<String, Never>()
}

/// A cell that replaces its bag when it is reused, which disposes the old contents.
final class ReusedCell {
  private var title = ""
  private var bag = DisposeBag()

  func prepareForReuse() { bag = DisposeBag() }

  func show() {
    prepareForReuse()
    CellSource.titles
      .traced("cell.titles")
      .observeNext { self.title = $0 }  // observed
      .dispose(in: bag)
  }
}
