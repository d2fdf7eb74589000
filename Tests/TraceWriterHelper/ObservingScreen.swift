import LeakDetection
import ReactiveKit
import ReactiveTrace

/// A screen that observes its own property with a strong reference to itself. The observation is
/// traced, so the recorder knows where its parts are.
final class ObservingScreen {
  private let name = Property("name")
  private var shown = ""
  private let bag = DisposeBag()

  private init() {
    name.lane("screen.name").observeNext { self.shown = $0 }.dispose(in: bag)
  }

  /// Makes screens that nothing else refers to, and prints which cycles this process finds, and of
  /// how many classes they are.
  static func findCycles(_ count: Int) {
    depth(400, count)
    withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { bytes in
      _ = bytes.initializeMemory(as: UInt8.self, repeating: 0)
    }
    do {
      let leaks = try LeakDetector.leaks(limit: .seconds(60))
      Modes.report("\(leaks.map { "\($0.count) \($0.isProbable)" })\n")
    } catch {
      Modes.report("\(error)\n")
    }
  }

  /// The frames of the functions that make the screens are far away from those that come later.
  @inline(never)
  private static func depth(_ left: Int, _ count: Int) {
    guard left == 0 else { return depth(left - 1, count) }
    for _ in 0..<count { _ = ObservingScreen() }
  }
}
