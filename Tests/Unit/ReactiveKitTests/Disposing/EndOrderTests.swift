import ReactiveKit
import TestSupport
import Testing

/// The order in which a signal that ends releases its resources.
@Suite("End of a signal")
struct EndOrderTests {
  private final class Log {
    var steps: [String] = []

    func observe(_ signal: Signal<Int, TestError>) -> any Disposable {
      signal.observe { [self] event in
        switch event {
        case .next(let element): steps.append("\(element)")
        case .failed: steps.append("failed")
        case .completed: steps.append("completed")
        }
      }
    }

    /// Returns a signal of the subject's events that notes when it is released.
    func noting(_ name: String, _ subject: PassthroughSubject<Int, TestError>)
      -> Signal<Int, TestError>
    {
      Signal { [self] observer in
        let disposable = subject.observe(with: observer)
        return BlockDisposable { [self] in
          steps.append("\(name) released")
          disposable.dispose()
        }
      }
    }

    func handling(_ name: String, _ signal: Signal<Int, TestError>) -> Signal<Int, TestError> {
      signal.handleEvents(
        receiveCompletion: { [self] _ in steps.append("\(name) ends") },
        receiveCancel: { [self] in steps.append("\(name) released") })
    }
  }

  private let log = Log()
  private let source = PassthroughSubject<Int, TestError>()
  private let other = PassthroughSubject<Int, TestError>()

  @Test(
    "An observer that reads the activity at the end of a signal gets false",
    arguments: [true, false])
  func activity(fails: Bool) {
    let isLoading = Property(false)
    var found: [Bool] = []
    let disposable = source.feedActivity(into: isLoading).observe { event in
      if event.isTerminal { found.append(isLoading.value) }
    }
    #expect(isLoading.value)
    source.send(completion: fails ? .failure(TestError()) : .finished)
    #expect(found == [false])
    disposable.dispose()
  }

  @Test("Each operator is released before the next one gets the end")
  func order() {
    let signal = log.handling("b", log.handling("a", log.noting("source", source)).map { $0 })
    let disposable = log.observe(signal)
    source.send(1)
    source.send(completion: .finished)
    #expect(
      log.steps == [
        "1", "source released", "a ends", "a released", "b ends", "b released", "completed",
      ])
    disposable.dispose()
  }

  @Test("Disposal releases a chain from its source downstream")
  func disposal() {
    let signal = log.handling("b", log.handling("a", log.noting("source", source)))
    log.observe(signal).dispose()
    #expect(log.steps == ["source released", "a released", "b released"])
  }

  @Test("Disposal releases a chain from its source downstream, even if the source started later")
  func laterDisposal() {
    let signal = log.handling("a", other.append(log.noting("source", source)))
    let disposable = log.observe(signal)
    other.send(completion: .finished)
    disposable.dispose()
    #expect(log.steps == ["source released", "a released"])
  }

  @Test("An operator that sends elements at the end sends them after its source was released")
  func collecting() {
    let disposable = log.observe(log.handling("a", log.noting("source", source)).reduce(0, +))
    source.send(3)
    source.send(completion: .finished)
    #expect(log.steps == ["source released", "a ends", "a released", "3", "completed"])
    disposable.dispose()
  }

  @Test("A source that ends while it is being observed is released after its end")
  func synchronous() {
    let ending = Signal<Int, TestError> { [log] observer in
      observer.receive(lastElement: 1)
      return BlockDisposable { log.steps.append("source released") }
    }
    _ = log.observe(log.handling("a", ending))
    #expect(log.steps == ["1", "a ends", "completed", "source released", "a released"])
  }

  private static let early: [String: @Sendable (Signal<Int, TestError>) -> Signal<Int, TestError>] =
    [
      "first()": { $0.first() },
      "prefix(while:)": { $0.prefix(while: { _ in false }) },
      "prefix(while:inclusive:)": { $0.prefix(while: { _ in false }, inclusive: true) },
      "output(at:)": { $0.output(at: 0) },
      "tryMap": { $0.tryMap { _ in .failure(TestError()) } },
      "dematerialize": {
        $0.map { _ in Signal<Int, TestError>.Event.completed }.dematerialize()
      },
      "flatMapLatest": { $0.flatMapLatest { _ in Signal<Int, TestError>.failed(TestError()) } },
      "flatMapMerge": { $0.flatMapMerge { _ in Signal<Int, TestError>.failed(TestError()) } },
      "flatMapConcat": { $0.flatMapConcat { _ in Signal<Int, TestError>.failed(TestError()) } },
    ]

  @Test(
    "An operator that ends before its source releases the source first",
    arguments: early.keys.sorted())
  func earlyEnd(_ name: String) throws {
    let apply = try #require(Self.early[name])
    let disposable = log.observe(apply(log.noting("source", source)))
    source.send(1)
    #expect(log.steps.suffix(2).first == "source released", "\(log.steps)")
    disposable.dispose()
    #expect(log.steps.count { $0 == "source released" } == 1)
  }

  @Test("A timeout releases the source before it fails")
  func timeout() {
    let time = VirtualScheduler()
    let signal = log.noting("source", source)
    _ = log.observe(signal.timeout(after: 1, with: TestError(), scheduler: time))
    time.advance(by: 2)
    #expect(log.steps == ["source released", "failed"])
  }

  private typealias Joining =
    @Sendable (Signal<Int, TestError>, Signal<Int, TestError>) -> Signal<Int, TestError>

  private static let joining: [(name: String, apply: Joining)] = [
    ("merge", { $0.merge(with: $1) }),
    ("merge of many", { Signal(flattening: [$0, $1], strategy: .merge) }),
    ("combineLatest", { $0.combineLatest(with: $1) { $0 + $1 } }),
    ("combineLatest of many", { Signal(combiningLatest: [$0, $1]) { $0[0] } }),
    ("zip", { $0.zip(with: $1) { $0 + $1 } }),
    ("amb", { $0.amb(with: $1) }),
    ("with(latestFrom:)", { $0.with(latestFrom: $1) { $0 + $1 } }),
    ("pausable(by:)", { $0.pausable(by: $1.map { $0 > 0 }) }),
    ("prefix(untilOutputFrom:)", { $0.prefix(untilOutputFrom: $1) }),
    ("replayLatest", { $0.replayLatest(when: $1.suppressError(logging: false)) }),
    ("repeat(when:)", { source, other in source.repeat { _ in other.replaceError(with: 0) } }),
  ]

  @Test("A join releases both signals before it fails", arguments: joining.indices)
  func failingJoin(_ index: Int) {
    let signal = Self.joining[index].apply(log.noting("source", source), log.noting("other", other))
    let disposable = log.observe(signal)
    source.send(1)
    source.send(completion: .failure(TestError()))
    #expect(Set(log.steps.suffix(3).prefix(2)) == ["source released", "other released"])
    #expect(log.steps.last == "failed", "\(Self.joining[index].name): \(log.steps)")
    disposable.dispose()
  }

  @Test("A signal that is disposed by a release at its end doesn't deliver the end")
  func disposingRelease() {
    let disposable = SerialDisposable(otherDisposable: nil)
    let signal = source.handleEvents(receiveCancel: { disposable.dispose() })
    disposable.otherDisposable = log.observe(signal.merge(with: other))
    source.send(completion: .failure(TestError()))
    #expect(log.steps == [])
  }

  @Test("Releasing signals during the disposal of a chain doesn't run any closure of the chain")
  func releasingMergedSignals() {
    let activity = PassthroughSubject<Bool, TestError>()
    var mapped: [Bool] = []
    func count(_ isActive: Bool) -> Int {
      mapped.append(isActive)
      return 1
    }
    let events = source.map { _ in false }.feedActivity(into: activity)
    let signals = [
      events.merge(with: activity).map(count),
      events.combineLatest(with: activity.prepend(true)) { count($1) },
      events.flatMapMerge { _ in activity }.merge(with: activity).map(count),
      events.zip(with: activity.prepend(true)) { count($1) },
      events.merge(with: Signal { activity.observe(with: $0) }.map(count).map { $0 > 0 }).map(
        count),
    ]
    for signal in signals {
      let disposable = log.observe(signal)
      activity.send(true)
      source.send(1)
      mapped = []
      disposable.dispose()
      #expect(mapped == [])
    }
  }
}
