import AsyncAlgorithms
import ReactiveTrace
import Testing

@Suite("Lanes between asynchronous operators", .serialized, .timeLimit(.minutes(5)))
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

  @Test("An error of one input passes through `zip`, unless the other one ends first")
  func zipError() async throws {
    let memory = Trace.MemorySink()
    try Trace.start(to: [.memory(memory)])
    for (count, isFirst) in [(0, true), (1, false), (3, true), (4, false)] {
      let (failing, continuation) = AsyncThrowingStream<Int, any Error>.makeStream()
      for value in 0..<count { continuation.yield(value) }
      continuation.finish(throwing: SequenceError(number: count))
      // If the first input can't fail, the types say that `zip` can't, also without lanes.
      let inputs = [
        Erased(failing.lane("failing")), Erased((0..<2).async.lane("ending")),
      ]
      let pairs = isFirst ? zip(inputs[0], inputs[1]) : zip(inputs[1], inputs[0])
      var elements = 0
      var error: SequenceError?
      do {
        for try await _ in pairs.lane("pairs \(count)") { elements += 1 }
      } catch let thrown as SequenceError {
        error = thrown
      }
      #expect(elements == min(count, 2))
      #expect(error == (count < 2 ? SequenceError(number: count) : nil))
    }
    while !Trace.activeSubscriptions.isEmpty { await Task.yield() }
    Trace.stop()
    for count in [0, 1, 3, 4] {
      let end = memory.records.first {
        $0.lane == "pairs \(count)" && Self.ends.contains($0.event)
      }
      #expect(end?.event == (count < 2 ? .failed : .completed))
    }
  }
}
