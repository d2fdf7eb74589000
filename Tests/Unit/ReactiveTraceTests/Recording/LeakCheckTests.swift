import Dispatch
import ReactiveKit
import TestSupport
import Testing

@testable import ReactiveTrace

extension ProcessLogTests {
  @Suite("expectNoLeaks", .ownThread)
  struct LeakCheckTests {
    private let never = Signal<Int, Never>.never()

    /// Returns the lanes of the leaks that a check of `body` reports.
    private func leaks(
      grace: Duration = .milliseconds(1), _ body: () throws -> Void
    ) throws -> [String] {
      do {
        try Trace.expectNoLeaks(grace: grace) { try body() }
        return []
      } catch let error as Trace.LeakError {
        return error.leaks.map(\.lane)
      }
    }

    @Test("A clean check returns the body's result without waiting")
    func clean() async throws {
      let start = ContinuousClock.now
      let sync = try Trace.expectNoLeaks(grace: .seconds(3600)) {
        never.lane("a").observe { _ in }.dispose()
        return 1
      }
      let waiting = try await Trace.expectNoLeaks(grace: .seconds(3600)) {
        await Task.yield()
        never.lane("a").observe { _ in }.dispose()
        return 2
      }
      #expect((sync, waiting) == (1, 2))
      #expect(ContinuousClock.now - start < .seconds(3600))
      #expect(Recorder.current == nil)
    }

    @Test("A leak error lists the active subscriptions with their details")
    func listed() throws {
      let subject = PassthroughSubject<String, Never>()
      let bag = DisposeBag()
      // Every line inside a macro expansion is the line of the macro.
      let line = #line + 1
      let error = #expect(throws: Trace.LeakError.self) {
        try Trace.expectNoLeaks(grace: .zero) {
          never.lane("fine").observe { _ in }.dispose()
          let counts = subject.lane("search.keystrokes").map(\.count).lane("search.counts")
          counts.observe { _ in }.dispose(in: bag)
          subject.send("sw")
          subject.send("swift")
        }
      }
      let text = try #require(error?.description)
      let lines = text.split(separator: "\n").map(String.init)
      #expect(lines[0] == "1 subscription made here had not ended after a grace period of 0 ns:")
      let counts = try #require(error?.leaks.first { $0.lane == "search.counts" })
      let keystrokes = try #require(error?.consequences.first)
      let source = "\(#fileID):\(line)"
      #expect(text.contains("! #\(counts.id) search.counts  \(source)  listed()"))
      #expect(text.contains("· 2 elements · last: next "))
      #expect(keystrokes.lastValue == "swift")
      #expect(keystrokes.elements == 2)
      #expect(keystrokes.parents.map(\.lane) == ["search.counts"])
      #expect(
        lines.last == "1 more subscription leaks with it: #\(keystrokes.id) search.keystrokes")
      #expect(keystrokes.type == "String")
      bag.dispose()
    }

    @Test("A check waits for subscriptions that end within the grace period")
    func grace() throws {
      let subject = PassthroughSubject<Int, Never>()
      let bag = DisposeBag()
      #expect(
        try leaks(grace: .seconds(3600)) {
          subject.lane("late").observe { _ in }.dispose(in: bag)
          DispatchQueue(label: "leak.later").async { bag.dispose() }
        } == [])
    }

    @Test("A check rethrows the body's error")
    func bodyError() async {
      struct Broken: Error {}
      #expect(throws: Broken.self) { try Trace.expectNoLeaks { throw Broken() } }
      await #expect(throws: Broken.self) {
        try await Trace.expectNoLeaks {
          await Task.yield()
          throw Broken()
        }
      }
    }

    @Test("A check includes subscriptions made in child tasks and on other threads")
    func elsewhere() async throws {
      let bag = DisposeBag()
      let queue = DispatchQueue(label: "leak.hop")
      let subject = PassthroughSubject<Int, Never>()
      let unchecked = Unchecked((bag, self.never))
      let error = await #expect(throws: Trace.LeakError.self) {
        try await Trace.expectNoLeaks(grace: .milliseconds(1)) {
          await withTaskGroup(of: Void.self) { group in
            group.addTask {
              unchecked.value.1.lane("of a child task").observe { _ in }
                .dispose(in: unchecked.value.0)
            }
          }
          await withCheckedContinuation { continuation in
            Signal<Int, Never>(just: 1).receive(on: queue)
              .observeNext { _ in
                unchecked.value.1.lane("after a hop").observe { _ in }.dispose(in: bag)
                continuation.resume()
              }.dispose(in: bag)
          }
          subject.flatMapMerge { _ in unchecked.value.1.lane("inner") }.lane("outer")
            .observe { _ in }.dispose(in: bag)
          // From a thread that isn't part of the check.
          let send = Unchecked(subject)
          await Task.detached { send.value.send(1) }.value
        }
      }
      // The closure of the outer one captures the bag of all others.
      #expect(error?.leaks.contains { $0.lane == "outer" } == true)
      #expect(
        Set(((error?.leaks ?? []) + (error?.consequences ?? [])).map(\.lane))
          == ["of a child task", "after a hop", "inner", "outer"])
      bag.dispose()
    }

    @Test("Concurrent checks each report only their own leaks")
    func parallel() async throws {
      let never = Unchecked(self.never)
      // Each check that fails searches the memory of all tests for causes, one after the other.
      let blamed = await withTaskGroup(of: (Int, [String]).self) { group in
        for number in 0..<12 {
          group.addTask {
            let bag = DisposeBag()
            defer { bag.dispose() }
            do {
              try await Trace.expectNoLeaks(grace: .milliseconds(1)) {
                for round in 0..<10 {
                  let disposable = never.value.lane("lane \(number)").observe { _ in }
                  await Task.yield()
                  if number % 2 == 0, round == 5 {
                    disposable.dispose(in: bag)
                  } else {
                    disposable.dispose()
                  }
                }
              }
              return (number, [])
            } catch {
              return (number, (error as? Trace.LeakError)?.leaks.map(\.lane) ?? [])
            }
          }
        }
        return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
      }
      for number in 0..<12 {
        #expect(blamed[number] == (number % 2 == 0 ? ["lane \(number)"] : []))
      }
      #expect(Recorder.current == nil)
    }

    @Test("Subscriptions aren't leaks if they predate the check, last until exit or are released")
    func noLeaks() throws {
      let bag = DisposeBag()
      never.lane("before").observe { _ in }.dispose(in: bag)
      #expect(
        try leaks {
          never.lane("app", lifetime: .process).observe { _ in }.dispose(in: bag)
          var subject: PassthroughSubject<Int, Never>? = PassthroughSubject()
          _ = subject?.lane("released").observe { _ in }
          subject = nil
        } == [])
      bag.dispose()
    }

    @Test("A leak in a nested check isn't reported again by the outer check")
    func nested() throws {
      let bag = DisposeBag()
      var inner: [String] = []
      let outer = try leaks {
        inner = try leaks { never.lane("a").observe { _ in }.dispose(in: bag) }
        never.lane("b").observe { _ in }.dispose(in: bag)
      }
      #expect(inner == ["a"])
      #expect(outer == ["b"])
      bag.dispose()
    }

    @Test("An inner signal's subscription belongs to the check of its parent subscription")
    func madeByOthers() throws {
      let subject = PassthroughSubject<Int, Never>()
      let bag = DisposeBag()
      let never = self.never
      var other: [String] = []
      let mine = try leaks {
        subject.flatMapLatest { _ in never.lane("inner") }.lane("outer").observe { _ in }
          .dispose(in: bag)
        other = try leaks { subject.send(1) }
      }
      #expect(other == [])
      #expect(mine == ["outer"])
      bag.dispose()
    }

    @Test("A subscription made after a nested check belongs to the outer check")
    func madeLater() async throws {
      let bag = DisposeBag()
      let never = Unchecked((self.never, bag))
      let error = await #expect(throws: Trace.LeakError.self) {
        try await Trace.expectNoLeaks(grace: .milliseconds(1)) {
          let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
          let late = try await Trace.expectNoLeaks {
            await Task.yield()
            return Task {
              for await _ in stream {}
              never.value.0.lane("late").observe { _ in }.dispose(in: never.value.1)
            }
          }
          continuation.finish()
          await late.value
        }
      }
      #expect(error?.leaks.map(\.lane) == ["late"])
      bag.dispose()
    }

    @Test(
      "Unattributed subscriptions are counted, and reported with scope process"
    )
    func elsewhereInProcess() throws {
      let unchecked = Unchecked((self.never, DisposeBag()))
      let bag = unchecked.value.1
      never.lane("before").observe { _ in }.dispose(in: bag)
      func body() throws {
        never.lane("mine").observe { _ in }.dispose(in: bag)
        try onItsOwnThread(named: "elsewhere") {
          let (never, bag) = unchecked.value
          never.lane("theirs").observe { _ in }.dispose(in: bag)
          never.lane("ended").observe { _ in }.dispose()
          never.lane("app", lifetime: .process).observe { _ in }.dispose(in: bag)
        }
      }
      let ofBody = #expect(throws: Trace.LeakError.self) {
        try Trace.expectNoLeaks(grace: .zero) { try body() }
      }
      #expect(ofBody?.leaks.map(\.lane) == ["mine"])
      #expect(ofBody?.unattributed == 1)
      #expect(
        ofBody?.description.hasSuffix(
          "\n1 more subscription, made during the check by code outside any check, is active too; "
            + "expectNoLeaks(scope: .process) includes it.") == true)
      let ofProcess = #expect(throws: Trace.LeakError.self) {
        try Trace.expectNoLeaks(scope: .process, grace: .zero) { try body() }
      }
      #expect(ofProcess?.leaks.map(\.lane) == ["mine", "theirs"])
      #expect(ofProcess?.unattributed == 0)
      bag.dispose()
    }

    @Test("A check of the process skips earlier leaks and leaks of nested checks")
    func process() async throws {
      let bag = DisposeBag()
      let log = try ProcessLog()
      never.lane("before").observe { _ in }.dispose(in: bag)
      let never = Unchecked((self.never, bag))
      var inner: [String] = []
      let error = await #expect(throws: Trace.LeakError.self) {
        try await Trace.expectNoLeaks(scope: .process, grace: .milliseconds(1)) {
          await Task.detached {
            never.value.0.lane("detached").observe { _ in }.dispose(in: never.value.1)
          }.value
          inner = try leaks { never.value.0.lane("inner").observe { _ in }.dispose(in: bag) }
        }
      }
      #expect(error?.leaks.map(\.lane) == ["detached"])
      #expect(inner == ["inner"])
      bag.dispose()
      withExtendedLifetime(log) {}
    }

    @Test("A check doesn't retain subscriptions that have ended")
    func memory() throws {
      weak var last: TracedSubscription?
      try Trace.expectNoLeaks {
        for _ in 0..<10_000 { never.lane("a").observe { _ in }.dispose() }
        let disposable = never.lane("last").observe { _ in }
        last = Recorder.current?.liveSubscriptions.all.first { $0.site.lane == "last" }
        #expect(last != nil)
        disposable.dispose()
        for _ in 0..<200 { never.lane("a").observe { _ in }.dispose() }
        #expect(last == nil)
      }
    }

    @Test("A check releases its subscriptions when it ends")
    func letsGo() throws {
      weak var known: TracedSubscription?
      let bag = DisposeBag()
      _ = try leaks {
        never.lane("a").observe { _ in }.dispose(in: bag)
        known = Recorder.current?.liveSubscriptions.all.first { $0.site.lane == "a" }
      }
      #expect(known != nil)
      bag.dispose()
      #expect(known == nil)
    }

    @Test("A log during a check records the thread once, not for each element")
    func numbers() throws {
      let bag = DisposeBag()
      let subject = PassthroughSubject<Int, Never>()
      try Trace.expectNoLeaks {
        let disposable = subject.lane("of the check").observe { _ in }
        let log = try ProcessLog()
        subject.lane("of the log").observe { _ in }.dispose(in: bag)
        for number in 0..<100 { subject.send(number) }
        disposable.dispose()
        bag.dispose()
        Trace.stop()
        #expect(log.memory.records.count { $0.event == .thread } == 1)
        #expect(log.memory.records.count { $0.event == .next } == 100)
      }
    }

    @Test("Snapshots list the active subscriptions and can be compared")
    func snapshots() throws {
      let log = try ProcessLog()
      #expect(Trace.activeSubscriptions == [])
      let bag = DisposeBag()
      never.lane("a").observe { _ in }.dispose(in: bag)
      let before = Trace.snapshot()
      let other = never.lane("b").observe { _ in }
      never.lane("b").observe { _ in }.dispose(in: bag)
      let after = Trace.snapshot()
      #expect(before.lanes == ["a": 1])
      #expect(after.lanes == ["a": 1, "b": 2])
      #expect(after.subscriptions(since: before).map(\.id) == [2, 3])
      other.dispose()
      bag.dispose()
      #expect(Trace.activeSubscriptions == [])
      withExtendedLifetime(log) {}
    }
  }
}
