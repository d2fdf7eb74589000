import Dispatch
import ReactiveKit
import TestSupport
import Testing

@testable import ReactiveTrace

private struct Boom: Error {}

@Suite("Lane", .ownThread)
struct LaneTests {
  @Test("A synchronous source's subscribe record comes before its end")
  func synchronousSource() throws {
    let log = try RecordedLog()
    _ = Signal<Int, Never>(sequence: 1...2).lane("numbers", in: log).observe { _ in }
    #expect(try log.story() == ["1 subscribe", "1 next 1", "1 next 2", "1 completed"])
  }

  @Test("A failure is recorded with the error's description")
  func failure() throws {
    let log = try RecordedLog()
    _ = Signal<Int, Boom>.failed(Boom()).lane("failing", in: log).observe { _ in }
    #expect(try log.story() == ["1 subscribe", "1 failed Boom()"])
  }

  @Test("A disposed observation is recorded as disposed")
  func disposal() throws {
    let log = try RecordedLog()
    let subject = PassthroughSubject<String, Never>()
    let disposable = subject.lane("texts", in: log).observe { _ in }
    subject.send("a")
    disposable.dispose()
    subject.send("b")
    #expect(try log.story() == ["1 subscribe", "1 next a", "1 disposed"])
  }

  @Test("Disposing after completion doesn't record a second end")
  func disposalAfterCompletion() throws {
    let log = try RecordedLog()
    let subject = PassthroughSubject<String, Never>()
    let disposable = subject.lane("texts", in: log).observe { _ in }
    subject.send(completion: .finished)
    disposable.dispose()
    disposable.dispose()
    #expect(try log.story() == ["1 subscribe", "1 completed"])
  }

  @Test("Disposing inside the terminal event doesn't record a second end")
  func disposalInsideCompletion() throws {
    let log = try RecordedLog()
    let subject = PassthroughSubject<String, Never>()
    let bag = DisposeBag()
    subject.lane("texts", in: log).observeCompleted { bag.dispose() }.dispose(in: bag)
    subject.send(completion: .finished)
    #expect(try log.story() == ["1 subscribe", "1 completed"])
  }

  @Test("Disposing while an element is delivered ends the subscription after that element")
  func disposalInsideElement() throws {
    let log = try RecordedLog()
    let subject = PassthroughSubject<String, Never>()
    let bag = DisposeBag()
    subject.lane("texts", in: log).observeNext { _ in bag.dispose() }.dispose(in: bag)
    subject.send("a")
    subject.send("b")
    #expect(try log.story() == ["1 subscribe", "1 next a", "1 disposed"])
  }

  @Test("Two observers of one signal are recorded as two subscriptions")
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

  @Test("An operator that ends early disposes the lane upstream of it")
  func earlyEnd() throws {
    let log = try RecordedLog()
    let subject = PassthroughSubject<Int, Never>()
    _ = subject.lane("numbers", in: log).prefix(maxLength: 1).observe { _ in }
    subject.send(7)
    subject.send(8)
    #expect(try log.story() == ["1 subscribe", "1 next 7", "1 disposed"])
  }

  @Test("A subscription that is deallocated without being disposed is recorded as released")
  func released() throws {
    let log = try RecordedLog()
    var subject: PassthroughSubject<Int, Never>? = PassthroughSubject()
    _ = subject?.lane("numbers", in: log).map { $0 * 2 }.observe { _ in }
    subject?.send(1)
    subject = nil
    #expect(try log.story() == ["1 subscribe", "1 next 1", "1 released"])
  }

  @Test("A subscription stays alive while its disposable is retained")
  func heldByDisposable() throws {
    let log = try RecordedLog()
    var subject: PassthroughSubject<Int, Never>? = PassthroughSubject()
    let disposable = subject?.lane("numbers", in: log).observe { _ in }
    subject = nil
    disposable?.dispose()
    #expect(try log.story() == ["1 subscribe", "1 disposed"])
  }

  @Test("A subscription in a bag that isn't emptied stays alive")
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

  @Test("A subscribe record contains the source location, function and element type")
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

  @Test("A subscription for the lifetime of the process is recorded with that lifetime")
  func processLifetime() throws {
    let log = try RecordedLog()
    let disposable = Signal<Int, Never>.never().lane("app", in: log, lifetime: .process)
      .observe { _ in }
    #expect(try log.lines().first?.lifetime == "process")
    disposable.dispose()
  }

  @Test("Each element is recorded before it is forwarded, so records are in causal order")
  func orderOfLanes() throws {
    let log = try RecordedLog()
    _ = Signal<Int, Never>(just: 1)
      .lane("upstream", in: log).map { $0 * 10 }.lane("downstream", in: log).observe { _ in }
    #expect(
      try log.story() == [
        "1 subscribe", "2 subscribe", "2 next 1", "1 next 10", "2 completed", "1 completed",
      ])
  }

  @Test("A subscription that many threads race to end is recorded as ending once")
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
