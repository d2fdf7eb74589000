import Foundation
import OpenCombine
import ReactiveTrace
import Testing

@Suite(.serialized)
struct TransparencyTests {
  @Test("5,000 random pipelines behave alike with and without lanes")
  func randomPipelines() {
    // Some pipelines need more stack than a thread of a task has.
    let results = OnLargeStack { Self.compare(seeds: 0..<5001) }.result()
    #expect(results.different == [])
    #expect(results.records > 50_000)
  }

  /// The pipelines in which operators of OpenCombine call each other without end.
  private static let endless: Set<UInt64> = [2331]

  /// Returns the seeds of the pipelines that behave differently, and the number of records.
  private static func compare(seeds: Range<UInt64>) -> (different: [String], records: Int) {
    let memory = Trace.MemorySink()
    var different: [String] = []
    var records = 0
    for first in stride(from: seeds.lowerBound, to: seeds.upperBound, by: 250) {
      let batch = (first..<min(first + 250, seeds.upperBound)).filter { !endless.contains($0) }
      let plain = batch.map { RandomPipeline(seed: $0, isTraced: false).run() }
      do { try Trace.start(to: [.memory(memory)]) } catch { return (["\(error)"], 0) }
      let traced = batch.map { RandomPipeline(seed: $0, isTraced: true).run() }
      Trace.stop()
      records += memory.lines.count
      memory.removeAll()
      for (seed, (expected, result)) in zip(batch, zip(plain, traced)) where expected != result {
        different.append("seed \(seed): \(result.difference(from: expected))")
      }
    }
    return (different, records)
  }
}

/// A thread with a stack of 64 MiB.
final class OnLargeStack<Result>: @unchecked Sendable {
  private let done = DispatchSemaphore(value: 0)
  private var value: Result?

  init(_ body: @escaping @Sendable () -> Result) {
    let thread = Thread {
      self.value = body()
      self.done.signal()
    }
    thread.stackSize = 64 << 20
    thread.start()
  }

  func result() -> Result {
    done.wait()
    guard let value else { fatalError("the thread ended without a result") }
    return value
  }
}
