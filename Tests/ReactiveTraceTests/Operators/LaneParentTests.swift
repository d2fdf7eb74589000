import Dispatch
import ReactiveKit
import TestSupport
import Testing

@testable import ReactiveTrace
@testable import TraceAnalysis
@testable import TraceFormat

/// The lanes of a log's subscriptions, each with the lane it was made for and the one whose delivery made it.
private func origins(_ log: RecordedLog) throws -> [String] {
  let subscribes = try log.lines().filter { $0.event == "subscribe" }
  func lane(_ id: Int?) -> String {
    subscribes.first { $0.sub == id }?.lane ?? "-"
  }
  return subscribes.map { "\($0.lane ?? "") for \(lane($0.parent)) in \(lane($0.cause))" }
}

@Suite("lane: parent and cause", .ownThread)
struct LaneParentTests {
  @Test("a lane upstream of a lane was made for it")
  func upstream() throws {
    let log = try RecordedLog()
    _ = Signal<Int, Never>(just: 1).lane("a", in: log).map { $0 }.lane("b", in: log).observe { _ in
    }
    #expect(try origins(log) == ["b for - in -", "a for b in -"])
  }

  @Test(
    "an inner signal was made for the lane downstream, in the delivery of the lane upstream",
    arguments: [FlattenStrategy.concat, .latest, .merge])
  func inner(strategy: FlattenStrategy) throws {
    let log = try RecordedLog()
    let subject = PassthroughSubject<Int, Never>()
    let disposable =
      subject.lane("outer", in: log)
      .flatMap(strategy) { Signal<Int, Never>(just: $0).lane("inner", in: log) }
      .lane("result", in: log)
      .observe { _ in }
    subject.send(1)
    disposable.dispose()
    #expect(
      try origins(log) == [
        "result for - in -", "outer for result in -", "inner for result in outer",
      ])
  }

  @Test("an inner signal of a pipeline without a lane downstream knows its cause only")
  func innerWithoutLaneDownstream() throws {
    let log = try RecordedLog()
    _ = Signal<Int, Never>(just: 1).lane("outer", in: log)
      .flatMapLatest { Signal<Int, Never>(just: $0).lane("inner", in: log) }
      .observe { _ in }
    #expect(try origins(log) == ["outer for - in -", "inner for - in outer"])
  }

  @Test("each attempt of retry was made for the lane downstream")
  func retry() throws {
    struct Boom: Error {}
    let log = try RecordedLog()
    _ = Signal<Int, Boom>.failed(Boom()).lane("attempt", in: log).retry(2).lane("all", in: log)
      .observe { _ in }
    #expect(
      try log.lines().filter { $0.event == "subscribe" }.map { $0.parent } == [nil, 1, 1, 1])
  }

  @Test("the parent is known across queues")
  func acrossQueues() throws {
    let log = try RecordedLog()
    let queue = DispatchQueue(label: "elsewhere")
    let done = Flag()
    _ = Signal<Int, Never>(just: 1)
      .lane("source", in: log)
      .subscribe(on: queue)
      .receive(on: queue)
      .flatMapLatest { Signal<Int, Never>(just: $0).lane("inner", in: log).subscribe(on: queue) }
      .lane("result", in: log)
      .observe { if $0.isTerminal { done.raise() } }
    #expect(done.wait())
    #expect(
      try log.lines().filter { $0.event == "subscribe" }.map {
        "\($0.lane ?? "") \($0.parent ?? 0)"
      }
        == ["result 0", "source 1", "inner 1"])
  }

  @Test("the parent is known through an operator of the user's own")
  func throughProducer() throws {
    let log = try RecordedLog()
    let inner = Signal<Int, Never>(just: 1).lane("inner", in: log)
    _ = Signal<Int, Never> { observer in inner.observe(with: observer) }
      .lane("outer", in: log).observe { _ in }
    #expect(try origins(log) == ["outer for - in -", "inner for outer in -"])
  }

  @Test("a subscription made inside an observer has a cause, and is not made for it")
  func insideObserver() throws {
    let log = try RecordedLog()
    _ = Signal<Int, Never>(just: 1).lane("first", in: log).observeNext { _ in
      _ = Signal<Int, Never>(just: 2).lane("second", in: log).observe { _ in }
    }
    #expect(try origins(log) == ["first for - in -", "second for - in first"])
  }

  @Test("a chain that outlives its log names no parent in the next one")
  func acrossLogs() throws {
    let first = try RecordedLog()
    let second = try RecordedLog()
    let subject = PassthroughSubject<Int, Never>()
    let disposable =
      subject.flatMapLatest { Signal<Int, Never>(just: $0).lane("inner", in: second) }
      .lane("result", in: first).observe { _ in }
    subject.send(1)
    disposable.dispose()
    #expect(try origins(second) == ["inner for - in -"])
  }
}
