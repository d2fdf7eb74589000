import CRuntime.Scanning
import Dispatch
import SystemLibrary

/// The processors that this process may use.
package enum Processors {
  package static let count: Int = {
    let known = Int(analysis_processors())
    return known > 0 ? known : max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
  }()

  /// Returns the results of a function for the numbers from 0, which all processors compute
  /// together.
  package static func map<Result: Sendable>(
    _ count: Int, _ body: @escaping @Sendable (Int) -> Result
  ) -> [Result] {
    guard count > 1, self.count > 1 else { return (0..<count).map(body) }
    let results = BlockingMutex([Result?](repeating: nil, count: count))
    DispatchQueue.concurrentPerform(iterations: count) { index in
      let result = body(index)
      results.withLock { $0[index] = result }
    }
    return results.withLock { $0.compactMap(\.self) }
  }
}
