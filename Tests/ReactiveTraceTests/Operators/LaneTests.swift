import Dispatch
import ReactiveKit
import TestSupport
import Testing

@testable import ReactiveTrace
@testable import TraceAnalysis
@testable import TraceFormat

private struct Boom: Error {}

@Suite("lane", .ownThread)
struct LaneTests {
  @Test("a source that sends at once does not end before it began")
  func synchronousSource() throws {
    let log = try RecordedLog()
    _ = Signal<Int, Never>(sequence: 1...2).lane("numbers", in: log).observe { _ in }
    #expect(try log.story() == ["1 subscribe", "1 next 1", "1 next 2", "1 completed"])
  }

  @Test("a failure is written with the error's description")
  func failure() throws {
    let log = try RecordedLog()
    _ = Signal<Int, Boom>.failed(Boom()).lane("failing", in: log).observe { _ in }
    #expect(try log.story() == ["1 subscribe", "1 failed Boom()"])
  }

  @Test("an observation that is disposed ends as disposed")
  func disposal() throws {
    let log = try RecordedLog()
    let subject = PassthroughSubject<String, Never>()
    let disposable = subject.lane("texts", in: log).observe { _ in }
    subject.send("a")
    disposable.dispose()
    subject.send("b")
    #expect(try log.story() == ["1 subscribe", "1 next a", "1 disposed"])
  }

  @Test("disposing after the end writes no second end")
  func disposalAfterCompletion() throws {
    let log = try RecordedLog()
    let subject = PassthroughSubject<String, Never>()
    let disposable = subject.lane("texts", in: log).observe { _ in }
    subject.send(completion: .finished)
    disposable.dispose()
    disposable.dispose()
    #expect(try log.story() == ["1 subscribe", "1 completed"])
  }

  @Test("disposing inside the terminal event writes no second end")
  func disposalInsideCompletion() throws {
    let log = try RecordedLog()
    let subject = PassthroughSubject<String, Never>()
    let bag = DisposeBag()
    subject.lane("texts", in: log).observeCompleted { bag.dispose() }.dispose(in: bag)
    subject.send(completion: .finished)
    #expect(try log.story() == ["1 subscribe", "1 completed"])
  }

  @Test("disposing inside an element ends the subscription there")
  func disposalInsideElement() throws {
    let log = try RecordedLog()
    let subject = PassthroughSubject<String, Never>()
    let bag = DisposeBag()
    subject.lane("texts", in: log).observeNext { _ in bag.dispose() }.dispose(in: bag)
    subject.send("a")
    subject.send("b")
    #expect(try log.story() == ["1 subscribe", "1 next a", "1 disposed"])
  }

  @Test("two observers of one laned signal are two subscriptions")
  func twoObservers() throws {
    let log = try RecordedLog()
    let subject = PassthroughSubject<String, Never>()
    let signal = subject.lane("texts", in: log)
    let first = signal.observe { _ in }
    let second = signal.observe { _ in }
    subject.send("a")
    first.dispose()
    second.dispose()
    #expect(
      try log.story() == [
        "1 subscribe", "2 subscribe", "1 next a", "2 next a", "1 disposed", "2 disposed",
      ])
  }

  @Test("an operator that takes only some elements disposes the lane before it")
  func earlyEnd() throws {
    let log = try RecordedLog()
    let subject = PassthroughSubject<Int, Never>()
    _ = subject.lane("numbers", in: log).prefix(maxLength: 1).observe { _ in }
    subject.send(7)
    subject.send(8)
    #expect(try log.story() == ["1 subscribe", "1 next 7", "1 disposed"])
  }

  @Test("what nobody disposed, and nothing holds any more, was released")
  func released() throws {
    let log = try RecordedLog()
    var subject: PassthroughSubject<Int, Never>? = PassthroughSubject()
    _ = subject?.lane("numbers", in: log).map { $0 * 2 }.observe { _ in }
    subject?.send(1)
    subject = nil
    #expect(try log.story() == ["1 subscribe", "1 next 1", "1 released"])
  }

  @Test("as long as a disposable can still end it, a subscription is alive")
  func heldByDisposable() throws {
    let log = try RecordedLog()
    var subject: PassthroughSubject<Int, Never>? = PassthroughSubject()
    let disposable = subject?.lane("numbers", in: log).observe { _ in }
    subject = nil
    disposable?.dispose()
    #expect(try log.story() == ["1 subscribe", "1 disposed"])
  }

  @Test("a bag that nobody empties leaves the subscription alive")
  func leaked() throws {
    final class Screen {
      let bag = DisposeBag()
      var shown = 0
      func show(_ number: Int) { shown = number }
    }
    let log = try RecordedLog()
    let subject = PassthroughSubject<Int, Never>()
    var screen: Screen? = Screen()
    if let screen {
      subject.lane("numbers", in: log).observeNext { screen.show($0) }.dispose(in: screen.bag)
    }
    let bag = screen?.bag
    screen = nil
    subject.send(1)
    #expect(try log.story() == ["1 subscribe", "1 next 1"])
    bag?.dispose()
  }

  @Test("subscribe says where, in what, and of which type")
  func location() throws {
    let log = try RecordedLog()
    let line = #line + 1
    _ = Signal<[Int], Never>(just: [1]).lane("lists", in: log).observe { _ in }
    let subscribe = try #require(try log.lines().first)
    #expect(subscribe.source == "\(#fileID):\(line)")
    #expect(subscribe.function == "location()")
    #expect(subscribe.type == "Array<Int>")
    #expect(subscribe.op == "lane")
    #expect(subscribe.lane == "lists")
    #expect(subscribe.lifetime == nil)
  }

  @Test("a subscription for the life of the process is declared so")
  func processLifetime() throws {
    let log = try RecordedLog()
    let disposable = Signal<Int, Never>.never().lane("app", in: log, lifetime: .process)
      .observe { _ in }
    #expect(try log.lines().first?.lifetime == "process")
    disposable.dispose()
  }

  @Test("each element is written before it goes on, so records stand in causal order")
  func orderOfLanes() throws {
    let log = try RecordedLog()
    _ = Signal<Int, Never>(just: 1)
      .lane("upstream", in: log).map { $0 * 10 }.lane("downstream", in: log).observe { _ in }
    #expect(
      try log.story() == [
        "1 subscribe", "2 subscribe", "2 next 1", "1 next 10", "2 completed", "1 completed",
      ])
  }

  @Test("ends of a subscription that many threads race to end are one")
  func oneEnd() throws {
    let log = try RecordedLog()
    for _ in 0..<200 {
      let subject = PassthroughSubject<Int, Never>()
      let racers = DisposeBag()
      subject.lane("raced", in: log).observe { _ in }.dispose(in: racers)
      onThreads(4) { index in
        switch index {
        case 0: racers.dispose()
        case 1: subject.send(completion: .finished)
        default: subject.send(index)
        }
      }
    }
    let ends = try log.lines().filter { ["completed", "disposed", "released"].contains($0.event) }
    #expect(ends.count == 200)
    #expect(Set(ends.map(\.sub)).count == 200)
  }
}
