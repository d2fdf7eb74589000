import LeakDetection
import ReactiveKit
import ReactiveTrace
import TestThreads

/// A screen that observes its own property with a strong reference to itself. The observation is
/// traced, so the recorder knows where its parts are.
final class ObservingScreen {
  private let name = Property("name")
  private var shown = ""
  private let bag = DisposeBag()

  private init() {
    name.lane("screen.name").observeNext { self.shown = $0 }.dispose(in: bag)
  }

  /// Makes screens that nothing else refers to, and prints how many cycles of each kind this
  /// process finds, and whether they are only probable.
  static func findCycles(_ count: Int) {
    runOnEndedThread { for _ in 0..<count { _ = ObservingScreen() } }
    do {
      let leaks = try LeakDetector.leaks(limit: .seconds(60))
      Modes.report("\(leaks.map { "\($0.count) \($0.isProbable)" })\n")
    } catch {
      Modes.report("\(error)\n")
    }
  }
}
