import Foundation
import ReactiveKit

extension LeakCase {
  static let auctionScreen = held(
    "foundation-timer", lanes: ["auction.bids"], roots: ["Timer"],
    path: ["closure at AuctionScreen", "AuctionScreen.bag"], holder: ["AuctionScreen.bag"],
    alive: true,
    .now {
      let screen = AuctionScreen()
      screen.open()
      return screen
    })
}

enum AuctionHouse {
  static let bids = PassthroughSubject<Int, Never>()
}

/// A screen that starts a repeating timer and never invalidates it.
final class AuctionScreen: @unchecked Sendable {
  private var bids: [Int] = []
  private let bag = DisposeBag()

  func open() {
    AuctionHouse.bids
      .traced("auction.bids")
      .observeNext { [weak self] in self?.bids.append($0) }  // observed
      .dispose(in: bag)
    _ = Timer.scheduledTimer(withTimeInterval: 3600, repeats: true) { _ in self.refresh() }
  }

  private func refresh() { bids = [] }
}
