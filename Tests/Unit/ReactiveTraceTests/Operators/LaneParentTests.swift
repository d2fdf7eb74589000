import Dispatch
import ReactiveKit
import TestSupport
import Testing

/// Returns the lanes of a log's subscriptions, each with its parent's lane and its cause's lane.
private func origins(_ log: RecordedLog) throws -> [String] {
  let subscribes = try log.lines().filter { $0.event == "subscribe" }
  func lane(_ id: Int?) -> String {
    subscribes.first { $0.sub == id }?.lane ?? "-"
  }
  return subscribes.map { "\($0.lane ?? "") for \(lane($0.parent)) in \(lane($0.cause))" }
}

@Suite("Parents and causes of lanes", .ownThread)
struct LaneParentTests {
  @Test("The parent of an upstream lane is the lane downstream")
  func upstream() throws {
    let log = try RecordedLog()
    _ = Signal<Int, Never>(just: 1).lane("a", in: log).map { $0 }.lane("b", in: log).observe { _ in
    }
    #expect(try origins(log) == ["b for - in -", "a for b in -"])
  }

  @Test(
    "An inner signal's parent is the lane downstream, and its cause is the lane upstream",
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

  @Test("An inner signal without a lane downstream has a cause but doesn't have a parent")
  func innerWithoutLaneDownstream() throws {
    let log = try RecordedLog()
    _ = Signal<Int, Never>(just: 1).lane("outer", in: log)
      .flatMapLatest { Signal<Int, Never>(just: $0).lane("inner", in: log) }
      .observe { _ in }
    #expect(try origins(log) == ["outer for - in -", "inner for - in outer"])
  }

  @Test("The parent of each retry attempt is the lane downstream")
  func retry() throws {
    struct Boom: Error {}
    let log = try RecordedLog()
    _ = Signal<Int, Boom>.failed(Boom()).lane("attempt", in: log).retry(2).lane("all", in: log)
      .observe { _ in }
    #expect(
      try log.lines().filter { $0.event == "subscribe" }.map { $0.parent } == [nil, 1, 1, 1])
  }

  @Test("A subscription keeps its parent across queues")
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

  @Test("A subscription keeps its parent through a custom operator")
  func throughProducer() throws {
    let log = try RecordedLog()
    let inner = Signal<Int, Never>(just: 1).lane("inner", in: log)
    _ = Signal<Int, Never> { observer in inner.observe(with: observer) }
      .lane("outer", in: log).observe { _ in }
    #expect(try origins(log) == ["outer for - in -", "inner for outer in -"])
  }

  @Test("A subscription made inside an observer has a cause but doesn't have a parent")
  func insideObserver() throws {
    let log = try RecordedLog()
    _ = Signal<Int, Never>(just: 1).lane("first", in: log).observeNext { _ in
      _ = Signal<Int, Never>(just: 2).lane("second", in: log).observe { _ in }
    }
    #expect(try origins(log) == ["first for - in -", "second for - in first"])
  }

  @Test("A subscription doesn't have a parent from a different log")
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
