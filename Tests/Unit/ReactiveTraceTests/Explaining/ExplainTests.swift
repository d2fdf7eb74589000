import ReactiveKit
import TestSupport
import Testing

@testable import ReactiveTrace

/// A screen whose observer captures it strongly or weakly.
private final class Screen {
  let bag = DisposeBag()
  private var shown: [Int] = []

  func open(_ signal: some SignalProtocol<Int, Never>, lane: String) {
    signal.lane(lane).observeNext { self.shown.append($0) }.dispose(in: bag)
  }

  func openWeakly(_ signal: some SignalProtocol<Int, Never>, lane: String) {
    signal.lane(lane).observeNext { [weak self] in self?.shown.append($0) }.dispose(in: bag)
  }
}

private enum Kept {
  static let bag = DisposeBag()
  static let subject = PassthroughSubject<Int, Never>()
  static let tokens = Locked<[(any Disposable)?]>([])
  /// Numbers, the last of which can be the address of an object that they don't retain.
  nonisolated(unsafe) static var numbers = (0, 0, 0)
}

extension ProcessLogTests {
  @Suite(
    "Explanations of subscriptions", .ownThread,
    .enabled(if: !isSanitized, "with a sanitizer, only objects with an exact layout are found"))
  struct ExplainTests {
    private let subject = PassthroughSubject<Int, Never>()

    private func id(_ lane: String) throws -> Int {
      try #require(Trace.activeSubscriptions.first { $0.lane == lane }).id
    }

    /// Opens a screen that only its own observer retains, and returns a weak reference to it.
    @inline(never)
    private func leakScreen(_ lane: String) -> Weak<Screen> {
      let screen = Screen()
      screen.open(subject, lane: lane)
      return Weak(screen)
    }

    @Test("An explanation lists the steps of a cycle through the subscription")
    func cycle() throws {
      let log = try ProcessLog()
      let screen = leakScreen("explain.cycle")
      let id = try id("explain.cycle")
      let explanation = try #require(Trace.explain(subscription: id))
      #expect(explanation.kind == .cycle)
      #expect(!explanation.isProbable)
      #expect(explanation.tail == 0)
      let steps = explanation.steps
      #expect(steps.last?.what == "subscription of explain.cycle")
      #expect(steps.last?.detail == "#\(id)")
      let field = try #require(steps.first { $0.what == "Screen.bag" })
      #expect(field.detail == "DisposeBag")
      #expect(explanation.breakIndex != nil)
      #expect(explanation.advice != nil)
      let written = log.memory.records.filter { $0.event == .retained }
      #expect(written.map(\.subscription) == [id])
      screen.value?.bag.dispose()
      #expect(screen.value == nil)
      #expect(Trace.explain(subscription: id) == nil)
    }

    @Test("An explanation names the closure of a cycle and its capture", .lookUpInTime)
    func closure() throws {
      let log = try ProcessLog()
      let screen = leakScreen("explain.closure")
      let explanation = try #require(Trace.explain(subscription: id("explain.closure")))
      // A lookup is limited to a second, which is too short on a busy machine.
      if let closure = explanation.steps.first, closure.what.hasPrefix("closure at") {
        #expect(closure.what.hasPrefix("closure at ExplainTests.swift:"))
        #expect(closure.source?.hasPrefix("ReactiveTraceTests/ExplainTests.swift:") == true)
        #expect(closure.detail == "captures self strongly")
        #expect(explanation.breakIndex == 0)
        #expect(explanation.advice?.contains("[weak self]") == true)
      }
      screen.value?.bag.dispose()
      withExtendedLifetime(log) {}
    }

    @Test(
      "An explanation names the variable that retains a bag",
      .enabled(if: !isSanitized, "block sizes are unknown with a sanitizer's allocator"))
    func variable() throws {
      let log = try ProcessLog()
      subject.lane("explain.static").observeNext { _ in }.dispose(in: Kept.bag)
      let explanation = try #require(
        Trace.explain(subscription: id("explain.static"), limit: .seconds(60)))
      #expect(explanation.kind == .path)
      #expect(!explanation.isProbable)
      #expect(explanation.steps.first?.what == "static Kept.bag")
      #expect(explanation.steps.last?.what == "subscription of explain.static")
      Kept.bag.dispose()
      withExtendedLifetime(log) {}
    }

    @Test(
      "A variable whose numbers include an address is reported as a probable holder",
      .enabled(if: !isSanitized, "block sizes are unknown with a sanitizer's allocator"))
    func numbers() throws {
      let log = try ProcessLog()
      let bag = Unmanaged.passRetained(DisposeBag())
      subject.lane("explain.numbers").observeNext { _ in }.dispose(in: bag.takeUnretainedValue())
      Kept.numbers.2 = Int(bitPattern: bag.toOpaque())
      let explanation = Trace.explain(
        subscription: try id("explain.numbers"), limit: .seconds(60))
      Kept.numbers.2 = 0
      #expect(explanation?.kind == .path)
      #expect(explanation?.steps.first?.what == "static Kept.numbers")
      #expect(explanation?.isProbable == true)
      bag.takeRetainedValue().dispose()
      withExtendedLifetime(log) {}
    }

    @Test(
      "An explanation names a variable that retains the disposable in a large array",
      .enabled(if: !isSanitized, "block sizes are unknown with a sanitizer's allocator"))
    func largeArray() throws {
      let log = try ProcessLog()
      var tokens = [(any Disposable)?](repeating: nil, count: 200_000)
      tokens[190_000] = subject.lane("explain.large").observeNext { _ in }
      Kept.tokens.withLock { $0 = tokens }
      tokens = []
      let explanation = try #require(
        Trace.explain(subscription: id("explain.large"), limit: .seconds(60)))
      #expect(explanation.kind == .path)
      #expect(explanation.steps.first?.what == "static Kept.tokens")
      #expect(explanation.holder == nil)
      let last = Kept.tokens.withLock { tokens in
        defer { tokens = [] }
        return tokens[190_000]
      }
      last?.dispose()
      withExtendedLifetime(log) {}
    }

    @Test(
      "A Task with only the address of a subscription isn't reported as its holder",
      .enabled(if: !isSanitized, "block sizes are unknown with a sanitizer's allocator"))
    func addressInTask() async throws {
      let log = try ProcessLog()
      let subject = Unchecked(Kept.subject)
      let address = Unchecked(
        UInt(
          bitPattern: Unmanaged.passUnretained(
            subject.value.lane("explain.address").observeNext { _ in } as AnyObject
          ).toOpaque()))
      let (starts, resumer) = AsyncStream.makeStream(of: CheckedContinuation<Void, Never>.self)
      let task = Task {
        let copy = address.value
        await withCheckedContinuation { resumer.yield($0) }
        return copy
      }
      var iterator = starts.makeAsyncIterator()
      let continuation = try #require(await iterator.next())
      let explanation = try #require(
        Trace.explain(subscription: id("explain.address"), limit: .seconds(60)))
      #expect(explanation.steps.first?.what == "static Kept.subject", "\(explanation)")
      continuation.resume()
      #expect(await task.value == address.value)
      subject.value.send(completion: .finished)
      withExtendedLifetime(log) {}
    }

    @Test("A disposable in a local variable of a waiting thread isn't reported as discarded")
    func localVariable() throws {
      let log = try ProcessLog()
      let (isReady, isOver) = (Flag(), Flag())
      onThreads(2) { number in
        if number == 0 {
          // The test itself can't hold this subject, so nothing else leads to the subscription.
          let subject = PassthroughSubject<Int, Never>()
          let disposable = subject.lane("explain.local").observeNext { _ in }
          isReady.raise()
          isOver.wait()
          disposable.dispose()
        } else {
          isReady.wait()
          let explanation = (try? self.id("explain.local")).flatMap {
            Trace.explain(subscription: $0, limit: .seconds(60))
          }
          #expect(explanation != nil)
          #expect(explanation?.holder == nil, "\(String(describing: explanation))")
          isOver.raise()
        }
      }
      withExtendedLifetime(log) {}
    }

    @Test("A weak capture of self isn't reported as a cycle")
    func weakly() throws {
      let log = try ProcessLog()
      let screen = Screen()
      screen.openWeakly(subject, lane: "explain.weak")
      let explanation = try #require(Trace.explain(subscription: id("explain.weak")))
      #expect(explanation.kind != .cycle, "\(explanation)")
      screen.bag.dispose()
      withExtendedLifetime(log) {}
    }

    @Test("Only active observations are explained")
    func unknown() throws {
      #expect(Trace.explain(subscription: 1) == nil)
      let log = try ProcessLog()
      let ended = subject.lane("explain.ended").observeNext { _ in }
      let id = try id("explain.ended")
      ended.dispose()
      for id in [id, 0, -1, -16, 1000, .max] { #expect(Trace.explain(subscription: id) == nil) }
      let upload = Trace.Subscription(name: "upload")
      upload.begin()
      let uploadID = try #require(upload.id)
      let explanation = try #require(Trace.explain(subscription: uploadID))
      #expect(explanation.kind == .none)
      #expect(explanation.note?.contains("not an observation") == true)
      upload.end()
      withExtendedLifetime(log) {}
    }

    @Test("An explanation reports that it ran out of time")
    func noTime() throws {
      let log = try ProcessLog()
      let screen = leakScreen("explain.no-time")
      let explanation = try #require(
        Trace.explain(subscription: id("explain.no-time"), limit: .zero))
      #expect(explanation.kind == .none)
      #expect(explanation.note?.contains("too short") == true)
      #expect(!log.memory.records.contains { $0.event == .retained })
      screen.value?.bag.dispose()
    }

    // MARK: Snapshots

    @Test("A snapshot explains subscriptions without a parent on request")
    func snapshot() throws {
      let log = try ProcessLog()
      let screen = Screen()
      screen.open(subject.lane("explain.upstream").map { $0 + 1 }, lane: "explain.downstream")
      subject.lane("explain.app", lifetime: .process).observeNext { _ in }.dispose(in: screen.bag)
      let plain = Trace.snapshot()
      #expect(plain.subscriptions.count == 3)
      #expect(plain.subscriptions.allSatisfy { $0.explanation == nil })
      #expect(
        Trace.snapshot(explaining: false).subscriptions.map(\.id) == plain.subscriptions.map(\.id))
      let explained = Trace.snapshot(explaining: true)
      #expect(explained.subscriptions.map(\.id) == plain.subscriptions.map(\.id))
      let found = explained.subscriptions.filter { $0.explanation != nil }
      #expect(found.map(\.lane) == ["explain.downstream"])
      #expect(found.first?.explanation?.kind == .cycle)
      let text = try #require(found.first?.description)
      #expect(text.contains("\n    kept alive by a cycle:\n"))
      #expect(text.contains("\n      Screen.bag "))
      // A subscription with the lifetime of the process is explained on request.
      let app = try #require(Trace.explain(subscription: id("explain.app")))
      #expect(app.kind != .unsupported)
      screen.bag.dispose()
      withExtendedLifetime(log) {}
    }

    // MARK: Leak checks

    @Test("A failed leak check explains its leaks and isn't one of their holders")
    func check() throws {
      var screen: Weak<Screen>?
      let error = #expect(throws: Trace.LeakError.self) {
        try Trace.expectNoLeaks(grace: .zero) { screen = leakScreen("explain.check") }
      }
      let leak = try #require(error?.leaks.first)
      let explanation = try #require(leak.explanation)
      #expect(explanation.kind == .cycle)
      let text = try #require(error?.description)
      #expect(text.contains("! #\(leak.id) explain.check"))
      #expect(text.contains("\n    kept alive by a cycle:\n"))
      for word in ["LeakCheck", "TracedSubscription", "LeakError", "Recorder"] {
        #expect(!text.contains(word))
      }
      screen?.value?.bag.dispose()
      #expect(screen?.value == nil)
    }

    @Test("A failed asynchronous leak check explains its leaks")
    func asynchronousCheck() async throws {
      let subject = Unchecked(subject)
      let error = await #expect(throws: Trace.LeakError.self) {
        try await Trace.expectNoLeaks(grace: .zero) {
          await Task.yield()
          let screen = Screen()
          screen.open(subject.value, lane: "explain.async")
        }
      }
      #expect(error?.leaks.first?.explanation?.kind == .cycle)
      subject.value.send(completion: .finished)
    }

    @Test("An explanation doesn't retain the objects that it explains")
    func lets() throws {
      let log = try ProcessLog()
      let screen = leakScreen("explain.free")
      let snapshot = Trace.snapshot(explaining: true)
      #expect(snapshot.subscriptions.first?.explanation != nil)
      screen.value?.bag.dispose()
      #expect(screen.value == nil)
      withExtendedLifetime((log, snapshot)) {}
    }

    // MARK: The end of a log

    @Test("The end of a log explains its active subscriptions")
    func end() throws {
      let log = try ProcessLog()
      let screens = (0..<3).map { leakScreen("explain.end.\($0)") }
      let other = Screen()
      other.open(subject.lane("explain.end.upstream").map { $0 }, lane: "explain.end.downstream")
      subject.lane("explain.end.app", lifetime: .process).observeNext { _ in }.dispose(
        in: other.bag)
      subject.lane("explain.end.ended").observeNext { _ in }.dispose()
      Trace.stop()
      let retained = log.memory.records.filter { $0.event == .retained }
      #expect(
        retained.map { $0.lane } == [
          "explain.end.0", "explain.end.1", "explain.end.2", "explain.end.downstream",
        ])
      #expect(log.memory.records.last?.event == .end)
      for screen in screens { screen.value?.bag.dispose() }
      other.bag.dispose()
    }

    @Test("A log without leaks doesn't contain explanations")
    func clean() throws {
      let log = try ProcessLog()
      subject.lane("explain.clean").observeNext { _ in }.dispose()
      Trace.stop()
      #expect(!log.memory.records.contains { $0.event == .retained })
    }

    @Test(
      "A snapshot explains hundreds of leaks with the same cause",
      .enabled(if: !isSanitized, "a sanitizer is too slow"))
    func many() throws {
      let log = try ProcessLog()
      let screens = (0..<300).map { _ in leakScreen("explain.many") }
      let snapshot = Trace.snapshot(explaining: true, limit: .seconds(60))
      #expect(snapshot.subscriptions.count == 300)
      #expect(snapshot.subscriptions.allSatisfy { $0.explanation?.kind == .cycle })
      for screen in screens { screen.value?.bag.dispose() }
      #expect(screens.allSatisfy { $0.value == nil })
      withExtendedLifetime(log) {}
    }
  }
}

/// A weak reference to an object.
private struct Weak<Object: AnyObject> {
  weak var value: Object?

  init(_ value: Object) { self.value = value }
}
