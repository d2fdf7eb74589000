import Dispatch
import Foundation

/// The threads of the global queues, which also run tasks.
enum WorkerThreads {
  /// Lets the threads run other work, so that they don't have references to what they ran before:
  /// in registers, in unused words of their frames, and in continuations that Dispatch caches.
  static func forget() {
    Waiting.untilThreadsSleep()
    // A task that the main thread starts runs on a thread of the first queue.
    for quality in [DispatchQoS.QoSClass.userInitiated, .default] {
      runWork(on: .global(qos: quality))
    }
  }

  private static func runWork(on queue: DispatchQueue) {
    let threadCount = max(2, ProcessInfo.processInfo.activeProcessorCount)
    let started = DispatchGroup()
    let done = DispatchGroup()
    for _ in 0..<threadCount { started.enter() }
    for _ in 0..<threadCount {
      queue.async(group: done) {
        started.leave()
        // Each thread must run one of the blocks, but there can be fewer threads.
        _ = started.wait(timeout: .now() + 0.05)
        // Each of them uses a continuation of the cache of this thread.
        for _ in 0..<64 { queue.async(group: done) {} }
      }
    }
    done.wait()
  }
}
