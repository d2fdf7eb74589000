import Foundation

/// Returns the processor time of `body(large)` divided by that of `body(small)`.
///
/// Measures the time that this thread had a processor, not elapsed time, so other work on the
/// machine hardly counts. Uses the minimum of several runs, so that a single disturbance does not
/// count.
package func costGrowth(from small: Int, to large: Int, _ body: (Int) -> Void) -> Double {
  func cost(_ count: Int) -> Double {
    (0..<3).map { _ in
      let start = processorTime()
      body(count)
      return processorTime() - start
    }.min() ?? .infinity
  }
  return cost(large) / cost(small)
}

/// Returns the number of seconds that the calling thread had a processor.
private func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
