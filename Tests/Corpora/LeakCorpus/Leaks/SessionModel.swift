import ReactiveKit

extension LeakCase {
  static let sessionModel = cycle(
    "debounce", lanes: ["session.saved"], upstream: ["session.edits"],
    path: ["closure", "SessionModel.bag"], breaks: "closure",
    .now {
      let model = SessionModel()
      model.open()
      TextView.edits.send("a")
      return model
    })
}

enum TextView {
  static let edits = PassthroughSubject<String, Never>()
}

/// A model that saves the text after a pause in typing.
final class SessionModel {
  private var saved: [String] = []
  private let bag = DisposeBag()

  func open() {
    TextView.edits
      .traced("session.edits")
      .debounce(for: 600)
      .map { $0.uppercased() }
      .traced("session.saved")
      .observeNext { self.saved.append($0) }  // observed
      .dispose(in: bag)
  }
}
