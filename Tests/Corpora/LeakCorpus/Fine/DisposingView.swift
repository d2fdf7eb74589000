import ReactiveKit

extension LeakCase {
  static let disposingView = fine(
    "disposed-in-deinit", lanes: ["disposing.texts"],
    .now {
      let view = DisposingView()
      DisposingSource.texts.send("fine")
      return view
    })
}

enum DisposingSource {
  static let texts = PassthroughSubject<String, Never>()
}

/// A view that disposes its subscription explicitly in its deinitializer.
final class DisposingView {
  private var shown: [String] = []
  private var subscription: (any Disposable)?

  init() {
    subscription = DisposingSource.texts
      .traced("disposing.texts")
      .observeNext { [weak self] in self?.shown.append($0) }  // observed
  }

  deinit { subscription?.dispose() }
}
