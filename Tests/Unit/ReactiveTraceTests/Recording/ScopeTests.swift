import Dispatch
import ReactiveKit
import TestSupport
import Testing

@testable import ReactiveTrace

extension ProcessLogTests {
  @Suite("Scopes and marks", .ownThread)
  struct ScopeTests {
    private struct Broken: Error {}

    private func observe(_ lane: String) {
      Signal<Int, Never>(just: 1).lane(lane, filter: .subscription).observe { _ in }.dispose()
    }

    /// Returns the name of the scope of a lane's subscription.
    private func scope(of lane: String, _ log: ProcessLog) throws -> String? {
      let number = try log.subscribe(lane).scope
      return log.records.first { $0.event == .scopeBegin && $0.scope == number }?.name
    }

    @Test("A mark is recorded with its name")
    func mark() throws {
      let log = try ProcessLog()
      Trace.mark("user tapped \"Save\"")
      #expect(log.story == ["mark user tapped \"Save\""])
    }

    @Test("A subscription has the innermost scope in which it was made")
    func nested() throws {
      let log = try ProcessLog()
      observe("before")
      let result = Trace.withScope("outer") {
        observe("a")
        Trace.withScope("inner") { observe("b") }
        observe("c")
        return 7
      }
      observe("after")
      #expect(result == 7)
      #expect(try scope(of: "before", log) == nil)
      #expect(try scope(of: "a", log) == "outer")
      #expect(try scope(of: "b", log) == "inner")
      #expect(try scope(of: "c", log) == "outer")
      #expect(try scope(of: "after", log) == nil)
      let begins = log.memory.lines.filter { $0.contains("scope-begin") }
      #expect(begins.count == 2)
      #expect(begins.last?.contains(#""scope":2,"outer":1,"name":"inner""#) == true)
      #expect(log.records.filter { $0.event == .scopeEnd }.map(\.scope) == [2, 1])
    }

    @Test("A scope ends and rethrows the error if its body throws")
    func throwing() throws {
      let log = try ProcessLog()
      #expect(throws: Broken.self) {
        try Trace.withScope("broken") { () throws(Broken) in throw Broken() }
      }
      #expect(log.story == ["scope-begin broken", "scope-end"])
    }

    @Test("Child tasks and unstructured tasks inherit the scope")
    func tasks() async throws {
      let log = try ProcessLog()
      await Trace.withScope("screen") {
        await withTaskGroup(of: Void.self) { group in
          for number in 0..<3 { group.addTask { observe("child \(number)") } }
        }
        await Task { observe("task") }.value
        await Task.detached { observe("detached") }.value
      }
      for lane in ["child 0", "child 1", "child 2", "task"] {
        #expect(try scope(of: lane, log) == "screen")
      }
      #expect(try scope(of: "detached", log) == nil)
    }

    @Test("Operators that change the thread keep the scope")
    func hops() throws {
      let log = try ProcessLog()
      let queue = DispatchQueue(label: "scope.hop")
      let flags = (0..<4).map { _ in Flag() }
      let bag = DisposeBag()
      Trace.withScope("screen") {
        Signal<Int, Never>(just: 1).receive(on: queue)
          .observeNext { _ in
            observe("received")
            flags[0].raise()
          }.dispose(in: bag)
        Signal<Int, Never>(just: 1).lane("subscribed").subscribe(on: queue)
          .observeCompleted { flags[1].raise() }.dispose(in: bag)
        Signal<Int, Never>(just: 1, after: 0.001, queue: queue)
          .observeNext { _ in
            observe("timed")
            flags[2].raise()
          }.dispose(in: bag)
        Signal<Int, Never>(just: 1).delay(interval: 0.001, on: queue)
          .observeNext { _ in
            observe("delayed")
            flags[3].raise()
          }.dispose(in: bag)
      }
      #expect(flags.allSatisfy { $0.wait() })
      for lane in ["received", "subscribed", "timed", "delayed"] {
        #expect(try scope(of: lane, log) == "screen", "\(lane)")
      }
    }

    @Test("A subscription inherits its parent's scope while the scope is open")
    func inherited() throws {
      let log = try ProcessLog()
      let subject = PassthroughSubject<Int, Never>()
      let bag = DisposeBag()
      Trace.withScope("screen") {
        subject.flatMapMerge { number in Signal<Int, Never>(just: number).lane("inner \(number)") }
          .lane("outer").observe { _ in }.dispose(in: bag)
        #expect(onAnotherThread { subject.send(1) })
      }
      subject.send(2)
      bag.dispose()
      #expect(try scope(of: "inner 1", log) == "screen")
      #expect(try scope(of: "inner 2", log) == nil)
    }

    @Test("withScope runs its body even if tracing is off")
    func off() async throws {
      #expect(Trace.withScope("a") { 1 } == 1)
      let later = await Trace.withScope("a") {
        await Task.yield()
        return 2
      }
      #expect(later == 2)
      Trace.mark("nothing")
    }
  }

  @Suite("Causes", .ownThread)
  struct CauseTests {
    @Test("Operators that change the thread keep the cause")
    func hops() throws {
      let log = try ProcessLog()
      let queue = DispatchQueue(label: "cause.hop")
      let flags = (0..<3).map { _ in Flag() }
      let bag = DisposeBag()
      func observe(_ lane: String, _ flag: Flag) {
        Signal<Int, Never>(just: 1).lane(lane).observeCompleted { flag.raise() }.dispose(in: bag)
      }
      Signal<Int, Never>(just: 1).lane("source").receive(on: queue)
        .observeNext { _ in observe("received", flags[0]) }.dispose(in: bag)
      Signal<Int, Never>(just: 1).lane("source").debounce(for: 0.001, queue: queue)
        .observeNext { _ in observe("debounced", flags[1]) }.dispose(in: bag)
      Signal<Int, Never>(just: 1).lane("source")
        .observeNext { _ in
          Signal<Int, Never>(just: 2).lane("subscribed").subscribe(on: queue)
            .observeCompleted { flags[2].raise() }.dispose(in: bag)
        }.dispose(in: bag)
      #expect(flags.allSatisfy { $0.wait() })
      let sources = log.records.filter { $0.event == .subscribe && $0.lane == "source" }
      #expect(sources.count == 3)
      #expect(try log.subscribe("received").cause == sources[0].subscription)
      // Completion sends the waiting element, so this element can arrive on the same thread.
      #expect(try log.subscribe("debounced").cause == sources[1].subscription)
      #expect(try log.subscribe("subscribed").cause == sources[2].subscription)
    }

    @Test(
      "After a timing operator, the cause is the cause of the element that it sends",
      arguments: ["debounce", "throttle", "sample", "delay"])
    func waiting(way: String) throws {
      let log = try ProcessLog()
      let scheduler = VirtualScheduler()
      let (first, second) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
      let elements = first.lane("first").merge(with: second.lane("second"))
      let sent: Signal<Int, Never>
      switch way {
      case "debounce": sent = elements.debounce(for: 1, scheduler: scheduler)
      case "throttle": sent = elements.throttle(for: 1, scheduler: scheduler)
      case "sample": sent = elements.sample(interval: 1, scheduler: scheduler)
      default: sent = elements.delay(interval: 1, scheduler: scheduler)
      }
      let bag = DisposeBag()
      sent.observeNext { number in
        Signal<Int, Never>(just: number).lane("made by \(number)").observe { _ in }.dispose()
      }.dispose(in: bag)
      Trace.withScope("one") { first.send(1) }
      Trace.withScope("two") { first.send(2) }
      Trace.withScope("three") { second.send(3) }
      scheduler.advance(by: 5)
      let made = try log.subscribe("made by 3")
      #expect(made.cause == (try log.subscribe("second").subscription))
      #expect(
        log.records.first { $0.event == .scopeBegin && $0.scope == made.scope }?.name == "three")
      // An element without a context doesn't get one from another element's timer.
      second.send(4)
      scheduler.advance(by: 5)
      #expect(try log.subscribe("made by 4").scope == nil)
      bag.dispose()
    }
  }
}
