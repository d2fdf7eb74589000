import Dispatch
import ReactiveKit

extension LeakCase {
  static let breathingGuide = cycle(
    "dispatch-timer", lanes: ["breathing.pace"],
    path: ["closure at BreathingGuide", "BreathingGuide.timer", "BreathingGuide.bag"],
    breaks: "closure",
    .now {
      let guide = BreathingGuide()
      guide.start()
      return guide
    })
}

enum PaceSettings {
  static let pace = Property(4)
}

/// A guide with a weak observation, but whose timer handler retains it.
final class BreathingGuide {
  private var seconds = 0
  private let bag = DisposeBag()
  private var timer: (any DispatchSourceTimer)?

  func start() {
    PaceSettings.pace
      .traced("breathing.pace")
      .observeNext { [weak self] in self?.seconds = $0 }  // observed
      .dispose(in: bag)
    let timer = DispatchSource.makeTimerSource(queue: .main)
    timer.schedule(deadline: .now() + 3600, repeating: 3600)
    timer.setEventHandler { self.tick() }
    timer.resume()
    self.timer = timer
  }

  private func tick() { seconds += 1 }
}
