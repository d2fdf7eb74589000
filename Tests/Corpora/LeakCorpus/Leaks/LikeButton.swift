import ReactiveKit

extension LeakCase {
  static let likeButton = cycle(
    "discarded-own-subject", lanes: ["button.taps"], path: ["closure", "LikeButton.taps"],
    breaks: "closure",
    .now {
      let button = LikeButton()
      button.taps.send(())
      return button
    })
}

/// A button that observes its own taps. Its subject retains the closure.
final class LikeButton {
  let taps = PassthroughSubject<Void, Never>()
  private var likes = 0

  init() {
    _ =
      taps
      .traced("button.taps")
      .observeNext { self.likes += 1 }  // observed
  }
}
