import AsyncAlgorithms
import ReactiveTrace
import Testing

@Suite("Lanes between asynchronous operators", .serialized)
struct TransparencyTests {
  private static let ends: Set<Trace.Record.Event> = [.completed, .failed, .disposed, .released]

  @Test("2,000 random sequences behave alike with and without lanes")
  func randomSequences() async throws {
    let memory = Trace.MemorySink()
    try Trace.start(to: [.memory(memory)])
    var different: [String] = []
    for seed in 0..<2000 as Range<UInt64> {
      var (plain, traced) = (
        RandomSequence(seed: seed, isTraced: false), RandomSequence(seed: seed, isTraced: true)
      )
      let (expected, result) = (await plain.run(), await traced.run())
      if expected != result { different.append("seed \(seed): \(result) != \(expected)") }
    }
    // The tasks of operators release their closures a moment after the iteration has ended. Some
    // never do, with and without lanes: those of a `buffer` that is full.
    let end = ContinuousClock.now + .seconds(20)
    while Witness.counts[0] != Witness.counts[1], ContinuousClock.now < end { await Task.yield() }
    #expect(Witness.counts[0] == Witness.counts[1])
    Trace.stop()
    #expect(different == [])
    var count = 0
    for (id, records) in Dictionary(grouping: memory.records, by: \.subscription) {
      guard let id, records.contains(where: { $0.event == .subscribe }) else { continue }
      count += 1
      #expect(records.count { Self.ends.contains($0.event) } <= 1, "subscription \(id)")
    }
    #expect(count > 5000)
  }

  @Test("A consumer that never gets an element, and a channel without a consumer, stay active")
  func stuck() async throws {
    let memory = Trace.MemorySink()
    try Trace.start(to: [.memory(memory)])
    let (stream, continuation) = AsyncStream<Int>.makeStream()
    let consumer = Task { for await _ in stream.lane("stream").removeDuplicates().lane("all") {} }
    while Trace.activeSubscriptions.count < 2 { await Task.yield() }
    #expect(Set(Trace.activeSubscriptions.map(\.lane)) == ["stream", "all"])
    continuation.finish()
    await consumer.value
    #expect(Trace.activeSubscriptions.isEmpty)
    Trace.stop()
    let ends = memory.records.filter { Self.ends.contains($0.event) }
    #expect(ends.map(\.event) == [.completed, .completed])
  }
}
