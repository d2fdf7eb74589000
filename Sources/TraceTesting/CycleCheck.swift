import Dispatch
import LeakDetection
import Synchronization
import SystemLibrary

/// A search for the cycles that some code makes.
struct CycleCheck: Sendable {
  private let interval: CycleWatch.Interval?

  /// Begins a check. If cycles can't be searched for, a message says so once.
  init(isWanted: Bool) {
    guard isWanted else {
      interval = nil
      return
    }
    do throws(LeakDetectionError) {
      interval = try CycleWatch.ofThisProcess.begin()
    } catch {
      interval = nil
      Self.warn(error)
    }
  }

  /// A thread of its own for searches. The threads that run tasks would be blocked, and their
  /// stacks have more old words.
  private static let queue = DispatchQueue(label: "TraceTesting.cycles")

  /// Begins a check without blocking the thread.
  static func begin(
    isWanted: Bool, isolation: isolated (any Actor)? = #isolation
  ) async -> CycleCheck {
    guard isWanted else { return CycleCheck(isWanted: false) }
    return await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: CycleCheck(isWanted: true)) }
    }
  }

  /// Ends the check without blocking the thread, and returns the cycles.
  func end(isolation: isolated (any Actor)? = #isolation) async -> [Leak] {
    guard interval != nil else { return [] }
    return await withCheckedContinuation { continuation in
      Self.queue.async { continuation.resume(returning: self.finish()) }
    }
  }

  /// Ends the check, and returns the cycles.
  func finish() -> [Leak] {
    guard let interval else { return [] }
    do throws(LeakDetectionError) {
      return try CycleWatch.ofThisProcess.end(interval)
    } catch {
      Self.warn(error)
      return []
    }
  }

  /// Ends the check without a search, because the code failed.
  func cancel() {
    if let interval { CycleWatch.ofThisProcess.cancel(interval) }
  }

  private static let hasWarned = Atomic<Bool>(false)

  private static func warn(_ error: LeakDetectionError) {
    guard !hasWarned.exchange(true, ordering: .relaxed) else { return }
    Diagnostics.warn("tests aren't checked for retain cycles: \(error)")
  }
}
