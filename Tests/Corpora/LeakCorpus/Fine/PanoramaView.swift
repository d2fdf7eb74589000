import Foundation
import ReactiveKit

extension LeakCase {
  static let panoramaView = fine(
    "foundation-timer-weak", lanes: ["panorama.angles"],
    .now {
      let view = PanoramaView()
      view.open()
      return view
    })
}

enum Compass {
  static let angles = PassthroughSubject<Int, Never>()
}

/// A view with a timer whose closure captures it weakly, and which it invalidates at the end.
final class PanoramaView: @unchecked Sendable {
  private var angle = 0
  private let bag = DisposeBag()
  private var timer: Timer?

  func open() {
    Compass.angles
      .traced("panorama.angles")
      .observeNext { [weak self] in self?.angle = $0 }  // observed
      .dispose(in: bag)
    timer = Timer.scheduledTimer(withTimeInterval: 3600, repeats: true) { [weak self] _ in
      self?.angle += 1
    }
  }

  deinit { timer?.invalidate() }
}
