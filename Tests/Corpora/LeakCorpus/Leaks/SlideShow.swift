import Foundation
import ReactiveKit

extension LeakCase {
  static let slideShow = held(
    "foundation-timer-invalidated", lanes: ["slides.titles"], roots: ["Timer"],
    path: ["closure at SlideShow", "SlideShow.bag"], holder: ["SlideShow.bag"], alive: true,
    .now {
      let show = SlideShow()
      show.start()
      show.stop()
      return show
    })
}

enum SlideStore {
  static let titles = PassthroughSubject<String, Never>()
}

/// A show that invalidates the timer that retains it. Without Objective-C, Foundation frees neither
/// the timer nor its closure.
final class SlideShow: @unchecked Sendable {
  private var title = ""
  private let bag = DisposeBag()
  private var timer: Timer?

  func start() {
    SlideStore.titles
      .traced("slides.titles")
      .observeNext { [weak self] in self?.title = $0 }  // observed
      .dispose(in: bag)
    timer = Timer.scheduledTimer(withTimeInterval: 3600, repeats: true) { _ in self.title = "" }
  }

  func stop() {
    timer?.invalidate()
    timer = nil
  }
}
