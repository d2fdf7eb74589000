import Foundation

/// How many times the processor time of `body(large)` is that of `body(small)`.
///
/// The time that this thread had a processor, not the time that went by: what else the machine does
/// hardly counts. The least of several runs, so that one disturbance does not.
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

/// Seconds that the calling thread had a processor.
private func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
