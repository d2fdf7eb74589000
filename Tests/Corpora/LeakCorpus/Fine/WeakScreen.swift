import ReactiveKit

extension LeakCase {
  static let weakScreen = fine(
    "weak-self", lanes: ["weak.texts"],
    .now {
      let screen = WeakScreen()
      screen.open()
      WeakSource.texts.send("fine")
      return screen
    })
}

enum WeakSource {
  static let texts = PassthroughSubject<String, Never>()
}

/// A screen that captures itself weakly, so its bag is deallocated with it.
final class WeakScreen {
  private var shown: [String] = []
  private let bag = DisposeBag()

  func open() {
    WeakSource.texts
      .traced("weak.texts")
      .observeNext { [weak self] in self?.shown.append($0) }  // observed
      .dispose(in: bag)
  }
}
