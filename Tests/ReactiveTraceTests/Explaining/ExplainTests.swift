import ReactiveKit
import TestSupport
import Testing

@testable import ReactiveTrace
@testable import TraceAnalysis
@testable import TraceFormat

/// A screen that may be kept alive by its own observer.
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
  static let tokens = Locked<[(any Disposable)?]>([])
  /// Numbers, of which the last may be the address of an object that this doesn't hold.
  nonisolated(unsafe) static var numbers = (0, 0, 0)
}

extension ProcessLogTests {
  @Suite(
    "explaining", .ownThread,
    .enabled(if: !isSanitized, "under a sanitizer, only what has an exact layout is found"))
  struct ExplainTests {
    private let subject = PassthroughSubject<Int, Never>()

    private func id(_ lane: String) throws -> Int {
      try #require(Trace.activeSubscriptions.first { $0.lane == lane }).id
    }

    /// Opens a screen that nobody but its own observer holds. Returns what can end it.
    @inline(never)
    private func leakScreen(_ lane: String) -> Weak<Screen> {
      let screen = Screen()
      screen.open(subject, lane: lane)
      return Weak(screen)
    }

    @Test("names a cycle through the subscription, step by step")
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

    @Test("names the closure of a cycle and its capture", .lookUpInTime)
    func closure() throws {
      let log = try ProcessLog()
      let screen = leakScreen("explain.closure")
      let explanation = try #require(Trace.explain(subscription: id("explain.closure")))
      // A lookup has a second, which is too short where the machine has too much else to do.
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
      "names the variable that holds a bag",
      .enabled(if: !isSanitized, "a sanitizer's allocator has no sizes of blocks"))
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
      "calls a variable with an address among its numbers a probable holder",
      .enabled(if: !isSanitized, "a sanitizer's allocator has no sizes of blocks"))
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
      "names the variable that holds a disposable among very many others",
      .enabled(if: !isSanitized, "a sanitizer's allocator has no sizes of blocks"))
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

    @Test("does not call a disposable discarded that a thread which waits has in a variable")
    func localVariable() throws {
      let log = try ProcessLog()
      let (isReady, isOver) = (Flag(), Flag())
      onThreads(2) { number in
        if number == 0 {
          let disposable = self.subject.lane("explain.local").observeNext { _ in }
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

    @Test("finds no cycle where self is captured weakly")
    func weakly() throws {
      let log = try ProcessLog()
      let screen = Screen()
      screen.openWeakly(subject, lane: "explain.weak")
      let explanation = try #require(Trace.explain(subscription: id("explain.weak")))
      #expect(explanation.kind != .cycle, "\(explanation)")
      screen.bag.dispose()
      withExtendedLifetime(log) {}
    }

    @Test("knows only subscriptions that are alive, and says what it cannot know")
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

    @Test("says that it had no time")
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

    @Test("a snapshot has explanations on request, of what is not alive for another subscription")
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
      // One that is meant to live is explained where somebody asks for it.
      let app = try #require(Trace.explain(subscription: id("explain.app")))
      #expect(app.kind != .unsupported)
      screen.bag.dispose()
      withExtendedLifetime(log) {}
    }

    // MARK: Leak checks

    @Test("a check that fails says why, without the check itself among the holders")
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

    @Test("an asynchronous check that fails says why, too")
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

    @Test("an explanation holds nothing of what it explains")
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

    @Test("a log says at its end, once for each mistake, why its subscriptions are alive")
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

    @Test("a log without leaks says nothing")
    func clean() throws {
      let log = try ProcessLog()
      subject.lane("explain.clean").observeNext { _ in }.dispose()
      Trace.stop()
      #expect(!log.memory.records.contains { $0.event == .retained })
    }

    @Test(
      "very many leaks of one mistake are explained one after the other",
      .enabled(if: !isSanitized, "a sanitizer leaves no time"))
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

/// A reference that keeps nothing alive.
private struct Weak<Object: AnyObject> {
  weak var value: Object?

  init(_ value: Object) { self.value = value }
}
