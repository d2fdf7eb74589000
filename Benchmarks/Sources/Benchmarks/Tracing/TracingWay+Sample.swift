import Dispatch
import Foundation

extension TracingWay {
  /// The file that records are written to.
  static let path = FileManager.default.temporaryDirectory
    .appendingPathComponent("tracing-benchmark-\(getpid()).jsonl").path

  /// Returns the total nanoseconds for each event of all threads, each of which writes `events`.
  func sample(threads: Int, events: Int) -> Double {
    try? FileManager.default.removeItem(atPath: Self.path)
    defer { try? FileManager.default.removeItem(atPath: Self.path) }
    if let measure { return measure(Self.path, threads, events) }
    let make = make(Self.path)
    defer { end() }
    return Double(Self.run(threads, make, events)) / Double(events * threads)
  }

  /// Runs the writers on separate threads that begin together.
  private static func run(
    _ threads: Int, _ make: @escaping (Int) -> Writer, _ count: Int
  ) -> Int {
    let (ready, go, done) = (DispatchGroup(), DispatchSemaphore(value: 0), DispatchGroup())
    let make = UncheckedMaker(make: make)
    for thread in 1...threads {
      ready.enter()
      done.enter()
      Thread {
        // Made here, because the data of two threads must not be side by side in memory.
        let writer = make.make(thread)
        writer(min(20_000, count / 10))
        ready.leave()
        go.wait()
        writer(count)
        done.leave()
      }.start()
    }
    ready.wait()
    let start = clockNow()
    for _ in 0..<threads { go.signal() }
    done.wait()
    return clockNow() - start
  }

  private struct UncheckedMaker: @unchecked Sendable {
    let make: (Int) -> Writer
  }
}
