import HostSafety
import LeakDetection
import Synchronization

/// A search for the cycles that some code makes.
struct CycleCheck {
  private let stretch: CycleWatch.Stretch?

  /// Begins a check. If cycles can't be searched for, a message says so once.
  init(isWanted: Bool) {
    guard isWanted else {
      stretch = nil
      return
    }
    do throws(LeakDetectionError) {
      stretch = try CycleWatch.ofThisProcess.begin()
    } catch {
      stretch = nil
      Self.warn(error)
    }
  }

  /// Ends the check, and returns the cycles.
  func end() -> [Leak] {
    guard let stretch else { return [] }
    do throws(LeakDetectionError) {
      return try CycleWatch.ofThisProcess.end(stretch)
    } catch {
      Self.warn(error)
      return []
    }
  }

  /// Ends the check without a search, because the code failed.
  func cancel() {
    if let stretch { CycleWatch.ofThisProcess.cancel(stretch) }
  }

  private static let hasWarned = Atomic<Bool>(false)

  private static func warn(_ error: LeakDetectionError) {
    guard !hasWarned.exchange(true, ordering: .relaxed) else { return }
    Diagnostics.warn("tests aren't checked for retain cycles: \(error)")
  }
}
