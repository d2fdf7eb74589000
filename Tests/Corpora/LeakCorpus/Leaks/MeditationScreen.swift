import Foundation
import ReactiveKit

extension LeakCase {
  static let meditationScreen = cycle(
    "foundation-timer-stored", lanes: ["meditation.minutes"],
    path: ["closure at MeditationScreen", "MeditationScreen.timer", "MeditationScreen.bag"],
    breaks: "closure",
    .now {
      let screen = MeditationScreen()
      screen.open()
      return screen
    })
}

enum MeditationSettings {
  static let minutes = Property(10)
}

/// A screen that stores a timer whose closure retains the screen.
final class MeditationScreen: @unchecked Sendable {
  private var minutes = 0
  private let bag = DisposeBag()
  private var timer: Timer?

  func open() {
    MeditationSettings.minutes
      .traced("meditation.minutes")
      .observeNext { [weak self] in self?.minutes = $0 }  // observed
      .dispose(in: bag)
    timer = Timer.scheduledTimer(withTimeInterval: 3600, repeats: true) { _ in self.tick() }
  }

  private func tick() { minutes -= 1 }
}
