import SystemLibrary

/// Finds the retain cycles of this process that code made between two moments.
///
/// Several stretches of code can be watched at the same time. Each cycle is reported once: to the
/// stretch that ends first after it was made.
package final class CycleWatch: Sendable {
  /// A stretch of code.
  package final class Stretch: Sendable {}

  package static let ofThisProcess = CycleWatch()

  private struct State {
    var open: [Stretch] = []
    /// The addresses of the objects on known cycles, with all bits inverted.
    var known: Set<UInt> = []
  }

  // One search at a time is enough for the machine, and a second one would wait for its memory.
  private let state = BlockingMutex(State())
  /// The maximum time for a search.
  private static let limit = Duration.seconds(10)

  private init() {}

  /// Begins a stretch. Cycles that already exist aren't reported to it.
  package func begin() throws(LeakDetectionError) -> Stretch {
    let stretch = Stretch()
    var failure: LeakDetectionError?
    state.withLock { state in
      // A cycle that a stretch has made so far must remain unknown until its end.
      if state.open.isEmpty {
        do throws(LeakDetectionError) {
          state.known.formUnion(try LeakDetector.search(ignoring: state.known, Self.limit).onCycles)
        } catch {
          failure = error
        }
      }
      if failure == nil { state.open.append(stretch) }
    }
    if let failure { throw failure }
    return stretch
  }

  /// Ends a stretch without a search.
  package func cancel(_ stretch: Stretch) {
    state.withLock { state in state.open.removeAll { $0 === stretch } }
  }

  /// Ends a stretch, and returns the cycles that weren't known.
  package func end(_ stretch: Stretch) throws(LeakDetectionError) -> [Leak] {
    var cycles: [Leak] = []
    var failure: LeakDetectionError?
    state.withLock { state in
      state.open.removeAll { $0 === stretch }
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
