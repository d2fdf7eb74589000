import ReactiveSwift
import ReactiveTrace
import Testing
import TracedReactiveSwift

private struct StreamError: Error, Equatable {
  let number: Int
}

@Suite("Lanes for ReactiveSwift", .serialized)
struct LaneTests {
  /// Returns the records of the subscriptions that `body` makes.
  private func records(_ body: () throws -> Void) throws -> [Trace.Record] {
    let memory = Trace.MemorySink()
    try Trace.start(to: [.memory(memory)])
    defer { Trace.stop() }
    try body()
    let wanted: Set<Trace.Record.Event> = [
      .subscribe, .next, .completed, .failed, .disposed, .released,
    ]
    return memory.records.filter { wanted.contains($0.event) }
  }

  private func events(_ body: () throws -> Void) throws -> [String] {
    try records(body).map {
      ["\($0.lane ?? "-") \($0.event.rawValue)", $0.value ?? $0.error].compactMap(\.self)
        .joined(separator: " ")
    }
  }

  @Test("A lane writes the beginning, the values and the completion")
  func completion() throws {
    let events = try events {
      _ = SignalProducer<Int, Never>([1, 2]).lane("numbers").start()
    }
    #expect(
      events == ["numbers subscribe", "numbers next 1", "numbers next 2", "numbers completed"])
  }

  @Test("A lane writes the error")
  func failure() throws {
    let events = try events {
      _ = SignalProducer<Int, StreamError>(error: StreamError(number: 4)).lane("failing").start()
    }
    #expect(events == ["failing subscribe", "failing failed StreamError(number: 4)"])
  }

  @Test("A started producer is disposed with its disposable")
  func disposal() throws {
    let (signal, observer) = Signal<Int, Never>.pipe()
    let events = try events {
      let disposable = signal.producer.lane("producer").start()
      observer.send(value: 7)
      disposable.dispose()
      observer.send(value: 8)
    }
    #expect(events == ["producer subscribe", "producer next 7", "producer disposed"])
  }

  @Test("A lane of a signal begins with the call, and ends when nothing observes the result")
  func signal() throws {
    let (signal, observer) = Signal<Int, Never>.pipe()
    let events = try events {
      do {
        let laned = signal.lane("signal")
        let disposable = laned.observeValues { _ in }
        observer.send(value: 7)
        disposable?.dispose()
      }
      observer.send(value: 8)
    }
    #expect(events == ["signal subscribe", "signal next 7", "signal disposed"])
  }

  @Test("The lane downstream is the parent, and the lane whose value starts one is the cause")
  func tree() throws {
    let records = try records {
      let (signal, observer) = Signal<Int, Never>.pipe()
      let disposable = signal.producer.lane("outer")
        .flatMap(.merge) { SignalProducer<Int, Never>(value: $0).lane("inner") }
        .lane("all").start()
      observer.send(value: 3)
      disposable.dispose()
    }
    let beginnings = records.filter { $0.event == .subscribe }
    #expect(beginnings.map(\.lane) == ["all", "outer", "inner"])
    #expect(beginnings.map(\.parent) == [nil, 1, nil])
    #expect(beginnings.map(\.cause) == [nil, nil, 2])
  }

  @Test("Pipelines pass on the same events with lanes, without a log and with one")
  func transparency() throws {
    let pipelines = Self.pipelines
    for index in pipelines.indices {
      let plain = Self.run(pipelines[index]) { $0 }
      let lane = { (source: Stream) in source.lane("lane") }
      #expect(Self.run(pipelines[index], lane) == plain)
      _ = try records { #expect(Self.run(pipelines[index], lane) == plain) }
    }
  }

  private typealias Stream = SignalProducer<Int, StreamError>
  private typealias Step = (Stream) -> Stream

  /// Pipelines of which each stage can get a lane.
  private static var pipelines: [(Stream, @escaping Step) -> Stream] {
    [
      { source, lane in lane(lane(source.map { $0 * 2 }).filter { $0 > 2 }) },
      { source, lane in lane(lane(source).take(first: 2)) },
      { source, lane in lane(source.flatMap(.latest) { lane(Stream([$0, -$0])) }) },
      { source, lane in lane(source.flatMap(.concat) { lane(Stream(value: $0)) }) },
      { source, lane in lane(lane(source).zip(with: lane(source.skip(first: 1))).map { $0 + $1 }) },
      { source, lane in lane(lane(source).scan(0, +)) },
      { source, lane in
        lane(
          lane(source).attempt { $0 == 3 ? .failure(StreamError(number: $0)) : .success(()) }
            .flatMapError { lane(Stream(value: $0.number)) })
      },
    ]
  }

  private static func run(_ pipeline: (Stream, @escaping Step) -> Stream, _ lane: @escaping Step)
    -> [String]
  {
    let (signal, observer) = Signal<Int, StreamError>.pipe()
    var events: [String] = []
    let source = signal.producer.on(
      started: { events.append("started") }, disposed: { events.append("source disposed") })
    let disposable = pipeline(source, lane).on(disposed: { events.append("disposed") }).start {
      events.append("\($0)")
    }
    for number in 1...4 { observer.send(value: number) }
    disposable.dispose()
    observer.send(value: 5)
    return events
  }
}
