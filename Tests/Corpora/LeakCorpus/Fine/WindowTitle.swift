import ReactiveKit

extension LeakCase {
  static let windowTitle = fine(
    "captured-values", lanes: ["title.documents"],
    .now {
      let title = WindowTitle(app: "Editor")
      title.follow()
      Documents.names.send("leaks.txt")
      return title
    })
}

enum Documents {
  static let names = PassthroughSubject<String, Never>()
}

/// A title whose closure captures the needed values instead of `self`.
final class WindowTitle {
  private let app: String
  private let text = Property("")
  private let bag = DisposeBag()

  init(app: String) { self.app = app }

  func follow() {
    Documents.names
      .traced("title.documents")
      .observeNext { [app, text] in text.value = "\(app): \($0)" }  // observed
      .dispose(in: bag)
  }
}
