import SystemLibrary

/// Finds the retain cycles that this process makes in an interval.
///
/// Intervals can overlap. Each cycle is reported once: to the first interval that ends after the
/// cycle was made.
package final class CycleWatch: Sendable {
  package final class Interval: Sendable {}

  package static let ofThisProcess = CycleWatch()

  private struct State {
    var open: [Interval] = []
    /// The addresses of the objects on known cycles, with all bits inverted.
    var known: Set<UInt> = []
  }

  /// The lock is held during a search, so that only one search at a time uses memory.
  private let state = BlockingMutex(State())
  /// The maximum time for a search.
  private static let limit = Duration.seconds(60)

  private init() {}

  /// Begins an interval. Cycles that already exist aren't reported to it.
  package func begin() throws(LeakDetectionError) -> Interval {
    let interval = Interval()
    var failure: LeakDetectionError?
    state.withLock { state in
      // If an interval is open, the cycles made in it must stay unknown until it ends.
      if state.open.isEmpty {
        do throws(LeakDetectionError) {
          state.known.formUnion(try LeakDetector.search(ignoring: state.known, Self.limit).onCycles)
        } catch {
          failure = error
        }
      }
      if failure == nil { state.open.append(interval) }
    }
    if let failure { throw failure }
    return interval
  }

  /// Ends an interval without a search.
  package func cancel(_ interval: Interval) {
    state.withLock { state in state.open.removeAll { $0 === interval } }
  }

  /// Ends an interval, and returns the cycles that weren't known.
  package func end(_ interval: Interval) throws(LeakDetectionError) -> [Leak] {
    var cycles: [Leak] = []
    var failure: LeakDetectionError?
    state.withLock { state in
      state.open.removeAll { $0 === interval }
      do throws(LeakDetectionError) {
        let report = try LeakDetector.search(ignoring: state.known, Self.limit)
        state.known.formUnion(report.onCycles)
        cycles = report.leaks
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return cycles
  }
}
