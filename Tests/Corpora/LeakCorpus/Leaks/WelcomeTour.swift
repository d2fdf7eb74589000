import Dispatch
import ReactiveKit

extension LeakCase {
  static let welcomeTour = held(
    "dispose-later", lanes: ["tour.steps"], roots: ["asyncAfter"], alive: false,
    .now {
      let tour = WelcomeTour()
      tour.open()
      Tour.steps.send(1)
      return nil
    })
}

enum Tour {
  static let steps = PassthroughSubject<Int, Never>()
}

/// A tour whose disposable is only in a block that runs after an hour.
final class WelcomeTour {
  private var step = 0

  func open() {
    let disposable = Tour.steps
      .traced("tour.steps")
      .observeNext { [weak self] in self?.step = $0 }  // observed
    DispatchQueue.global().asyncAfter(deadline: .now() + 3600) { disposable.dispose() }
  }
}
