import ReactiveKit

extension LeakCase {
  static let compareScreen = cycle(
    "captures-other-object", lanes: ["compare.zoom"],
    path: ["captures other (CompareScreen) strongly", "CompareScreen.bag"], breaks: "closure",
    .now {
      let left = CompareScreen()
      let right = CompareScreen()
      left.follow(right)
      return right
    })
}

enum CompareEvents {
  static let zoom = PassthroughSubject<Int, Never>()
}

/// A screen that shows the same part of two pictures. Its closure captures the other screen.
final class CompareScreen {
  private var zoom = 1
  let bag = DisposeBag()

  func follow(_ other: CompareScreen) {
    CompareEvents.zoom
      .traced("compare.zoom")
      .observeNext { other.zoom = $0 }  // observed
      .dispose(in: other.bag)
  }
}
