import ReactiveKit

extension LeakCase {
  static let bannerScreen = held(
    "bag-in-global", lanes: ["banner.texts"], roots: ["bannerBag", "Campaign.texts"],
    holder: ["bag"], alive: true,
    .now {
      let screen = BannerScreen()
      screen.open()
      Campaign.texts.send("Sale")
      return screen
    })
}

let bannerBag = DisposeBag()

enum Campaign {
  static let texts = PassthroughSubject<String, Never>()
}

/// A screen that uses one bag for all banners of the app.
final class BannerScreen {
  private var text = ""

  func open() {
    Campaign.texts
      .traced("banner.texts")
      .observeNext { self.text = $0 }  // observed
      .dispose(in: bannerBag)
  }
}
