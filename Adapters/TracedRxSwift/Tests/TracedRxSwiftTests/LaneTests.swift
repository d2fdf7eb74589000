import ReactiveTrace
import RxSwift
import Testing
import TracedRxSwift

private struct StreamError: Error, Equatable {
  let number: Int
}

@Suite("Lanes for RxSwift", .serialized)
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

  @Test("A lane writes the beginning, the elements and the completion")
  func completion() throws {
    let events = try events { _ = Observable.of(1, 2).lane("numbers").subscribe() }
    #expect(
      events == ["numbers subscribe", "numbers next 1", "numbers next 2", "numbers completed"])
  }

  @Test("A lane writes the error")
  func failure() throws {
    let events = try events {
      _ = Observable<Int>.error(StreamError(number: 4)).lane("failing").subscribe()
    }
    #expect(events == ["failing subscribe", "failing failed StreamError(number: 4)"])
  }

  @Test("A subscription is disposed when its bag is deallocated")
  func disposal() throws {
    let subject = PublishSubject<Int>()
    let events = try events {
      var bag = DisposeBag()
      subject.lane("subject").subscribe().disposed(by: bag)
      subject.onNext(7)
      bag = DisposeBag()
      subject.onNext(8)
    }
    #expect(events == ["subject subscribe", "subject next 7", "subject disposed"])
  }

  @Test("The lane downstream is the parent, and the lane whose element subscribes is the cause")
  func tree() throws {
    let records = try records {
      let outer = PublishSubject<Int>()
      let disposable = outer.lane("outer").flatMap { Observable.just($0).lane("inner") }
        .lane("all").subscribe()
      outer.onNext(3)
      disposable.dispose()
    }
    let beginnings = records.filter { $0.event == .subscribe }
    #expect(beginnings.map(\.lane) == ["all", "outer", "inner"])
    #expect(beginnings.map(\.parent) == [nil, 1, nil])
    #expect(beginnings.map(\.cause) == [nil, nil, 2])
  }

  @Test("A subscription that nothing disposes stays active, at the place that subscribes")
  func active() throws {
    let subject = PublishSubject<Int>()
    var disposable: (any Disposable)?
    _ = try records {
      disposable = subject.lane("subject").subscribe()
      #expect(Trace.activeSubscriptions.map(\.lane) == ["subject"])
      #expect(
        Trace.activeSubscriptions.first?.site.source?.hasPrefix("TracedRxSwiftTests/LaneTests")
          == true)
      disposable?.dispose()
      #expect(Trace.activeSubscriptions.isEmpty)
    }
  }

  @Test("Pipelines pass on the same events with lanes, without a log and with one")
  func transparency() throws {
    let pipelines = Self.pipelines
    for index in pipelines.indices {
      let plain = Self.run(pipelines[index]) { $0 }
      let lane = { (source: Observable<Int>) in source.lane("lane") }
      #expect(Self.run(pipelines[index], lane) == plain)
      _ = try records { #expect(Self.run(pipelines[index], lane) == plain) }
    }
  }

  private typealias Step = (Observable<Int>) -> Observable<Int>

  /// Pipelines of which each stage can get a lane.
  private static var pipelines: [(Observable<Int>, @escaping Step) -> Observable<Int>] {
    [
      { source, lane in lane(lane(source.map { $0 * 2 }).filter { $0 > 2 }) },
      { source, lane in lane(lane(source).take(2)) },
      { source, lane in lane(source.flatMap { lane(Observable.of($0, -$0)) }) },
      { source, lane in lane(source.concatMap { lane(Observable.just($0).startWith(0)) }) },
      { source, lane in lane(Observable.zip(lane(source), lane(source.skip(1))) { $0 + $1 }) },
      { source, lane in lane(lane(source).share().scan(0, accumulator: +)) },
      { source, lane in
        lane(
          lane(source).map { number -> Int in
            if number == 3 { throw StreamError(number: number) }
            return number
          }.catchAndReturn(-1))
      },
      { source, lane in
        lane(
          lane(source).map { number -> Int in
            if number == 3 { throw StreamError(number: number) }
            return number
          }.retry(2))
      },
    ]
  }

  private static func run(
    _ pipeline: (Observable<Int>, @escaping Step) -> Observable<Int>, _ lane: @escaping Step
  ) -> [String] {
    let subject = PublishSubject<Int>()
    var events: [String] = []
    let source = subject.do(
      onSubscribe: { events.append("subscribes") }, onDispose: { events.append("disposes") })
    let disposable = pipeline(source, lane).subscribe(
      onNext: { events.append("\($0)") }, onError: { events.append("\($0)") },
      onCompleted: { events.append("completed") }, onDisposed: { events.append("disposed") })
    for number in 1...4 { subject.onNext(number) }
    disposable.dispose()
    subject.onNext(5)
    return events
  }
}
