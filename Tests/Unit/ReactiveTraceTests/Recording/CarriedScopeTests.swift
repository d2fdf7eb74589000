import Dispatch
import ReactiveKit
import SystemLibrary
import TestSupport
import Testing

@testable import ReactiveTrace

/// A library whose scopes are task-local values.
private struct Library: Trace.ScopeCarrier {
  @TaskLocal static var scope: Trace.Scope?
  /// The name of the innermost scope whose body the library runs.
  @TaskLocal static var running: String?

  var current: Trace.Scope? { Self.scope }

  func run<Result, Failure: Error>(
    _ scope: Trace.Scope, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let outcome = Self.$running.withValue(scope.name) {
      Outcome { () throws(Failure) -> Result in try body() }
    }
    return try outcome.get()
  }

  func run<Result, Failure: Error>(
    _ scope: Trace.Scope, isolation: isolated (any Actor)?,
    _ body: () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    let outcome = await Self.$running.withValue(scope.name) {
      await Outcome { () async throws(Failure) -> Result in try await body() }
    }
    return try outcome.get()
  }

  /// Runs a body in a scope of the library.
  static func with<Result>(_ name: String, _ body: () throws -> Result) rethrows -> Result {
    let scope = Trace.Scope(name)
    defer { scope?.end() }
    return try $scope.withValue(scope, operation: body)
  }
}

extension ProcessLogTests {
  @Suite("Scopes that another library carries", .ownThread)
  struct CarriedScopeTests {
    private struct Broken: Error {}

    init() { Trace.carryScopes(with: Library()) }

    private func observe(_ lane: String) {
      Signal<Int, Never>(just: 1).lane(lane, filter: .subscription).observe { _ in }.dispose()
    }

    /// Returns the name of the scope of a lane's subscription.
    private func scope(of lane: String, _ log: ProcessLog) throws -> String? {
      let number = try log.subscribe(lane).scope
      return log.records.first { $0.event == .scopeBegin && $0.scope == number }?.name
    }

    @Test("A scope that begins and ends in different places is in the log once")
    func separateEnds() throws {
      let log = try ProcessLog()
      let scope = try #require(Trace.Scope("span"))
      observe("outside")
      scope.end()
      scope.end()
      #expect(log.story.first == "scope-begin span")
      #expect(log.story.filter { $0 == "scope-end" }.count == 1)
      #expect(scope.id == log.records.first?.scope)
      let header = try #require(log.memory.lines.first)
      #expect(header.contains(#""trace":"\#(try #require(scope.logID))""#))
      #expect(try self.scope(of: "outside", log) == nil)
    }

    @Test("A scope that is renamed has its new name at its end, and at once for the program")
    func renamed() throws {
      let log = try ProcessLog()
      let scope = try #require(Trace.Scope("route not found"))
      let subscription = Trace.Subscription(name: "a")
      Library.$scope.withValue(scope) { subscription.begin() }
      scope.name = "GET /quote"
      #expect(Trace.activeSubscriptions.map(\.scope) == ["GET /quote"])
      scope.end()
      #expect(log.story.first == "scope-begin route not found")
      #expect(log.story.last == "scope-end GET /quote")
    }

    @Test("Scopes that end on many threads are in the log once each")
    func concurrentEnds() throws {
      let log = try ProcessLog()
      let scopes = (0..<50).compactMap { Trace.Scope("span \($0)", inside: nil) }
      onThreads(4) { _ in for scope in scopes { scope.end() } }
      let ends = log.records.filter { $0.event == .scopeEnd }.compactMap(\.scope)
      #expect(ends.sorted() == scopes.compactMap(\.id))
    }

    @Test("A subscription has the innermost of the scopes of both kinds")
    func nested() throws {
      let log = try ProcessLog()
      Library.with("span") {
        observe("a")
        Trace.withScope("scope") {
          observe("b")
          Library.with("inner span") { observe("c") }
          observe("d")
        }
        observe("e")
      }
      observe("f")
      let names = try ["a", "b", "c", "d", "e", "f"].map { try scope(of: $0, log) }
      #expect(names == ["span", "scope", "inner span", "scope", "span", nil])
      let outer = log.memory.lines.filter { $0.contains("scope-begin") }
        .map { $0.split(separator: #""outer":"#).count > 1 }
      #expect(outer == [false, true, true])
    }

    @Test("Child tasks inherit the innermost scope")
    func tasks() async throws {
      let log = try ProcessLog()
      await Library.$scope.withValue(Trace.Scope("span")) {
        async let child: Void = observe("child")
        await child
        await Trace.withScope("scope") { await Task { observe("task") }.value }
        await Task.detached { observe("detached") }.value
      }
      #expect(try scope(of: "child", log) == "span")
      #expect(try scope(of: "task", log) == "scope")
      #expect(try scope(of: "detached", log) == nil)
    }

    @Test("Work that moves to another thread keeps the scope, whatever its new surroundings are")
    func hops() throws {
      let log = try ProcessLog()
      let scheduler = VirtualScheduler()
      let bag = DisposeBag()
      Library.with("span") {
        Signal<Int, Never>(just: 1).delay(interval: 1, scheduler: scheduler)
          .observeNext { _ in observe("delayed") }.dispose(in: bag)
      }
      Library.with("another span") {
        scheduler.advance(by: 2)
        observe("direct")
      }
      #expect(try scope(of: "delayed", log) == "span")
      #expect(try scope(of: "direct", log) == "another span")
    }

    @Test("The carrier runs the body of a scope, and its error is rethrown")
    func bodies() async throws {
      let log = try ProcessLog()
      #expect(Trace.withScope("a") { Library.running } == "a")
      let running = await Trace.withScope("b") {
        await Task.yield()
        return Library.running
      }
      #expect(running == "b")
      #expect(throws: Broken.self) {
        try Trace.withScope("c") { () throws(Broken) in throw Broken() }
      }
      await #expect(throws: Broken.self) {
        try await Trace.withScope("d") { () async throws(Broken) in throw Broken() }
      }
      #expect(log.story.filter { $0 == "scope-end" }.count == 4)
    }

    @Test("A sink that takes a record begins no scope")
    func sinks() throws {
      let scopes = BlockingMutex<[Trace.Scope?]>([])
      let sink = Trace.Sink.custom { record in
        if record.event == .mark { scopes.withLock { $0.append(Trace.Scope("in a sink")) } }
      }
      try Trace.start(to: [sink])
      Trace.mark("mark")
      Trace.stop()
      #expect(scopes.withLock { $0 } == [nil])
    }

    @Test("Without a log, a scope doesn't begin, and bodies run all the same")
    func off() {
      #expect(Trace.Scope("span") == nil)
      #expect(Library.with("span") { Trace.withScope("scope") { 1 } } == 1)
    }
  }

  @Suite("Undisposed subscriptions on request", .ownThread)
  struct UndisposedTests {
    @Test("Only subscriptions that should have ended are undisposed")
    func verdict() async throws {
      let log = try ProcessLog()
      let bag = DisposeBag()
      let subject = PassthroughSubject<Int, Never>()
      subject.lane("upstream").map { $0 }.lane("leak").observe { _ in }.dispose(in: bag)
      subject.lane("meant", lifetime: .process).observe { _ in }.dispose(in: bag)
      Signal<Int, Never>(just: 1).lane("ended").observe { _ in }.dispose()
      let undisposed = try #require(await Trace.undisposed(limit: .zero))
      #expect(undisposed.leaks.map(\.lane) == ["leak"])
      #expect(undisposed.consequences.map(\.lane) == ["upstream"])
      #expect(undisposed.description.hasPrefix("1 undisposed subscription\n! #"))
      bag.dispose()
      #expect(await Trace.undisposed()?.leaks.isEmpty == true)
      withExtendedLifetime(log) {}
    }

    @Test("The life of a task isn't an undisposed subscription")
    func tasks() async throws {
      let log = try ProcessLog()
      let (stream, continuation) = AsyncStream<Int>.makeStream()
      let task = Trace.task("waits") { for await _ in stream {} }
      #expect(Trace.activeSubscriptions.filter(\.isTask).map(\.lane) == ["waits"])
      #expect(await Trace.undisposed()?.leaks.isEmpty == true)
      continuation.finish()
      await task.value
      withExtendedLifetime(log) {}
    }

    @Test("A subscription that ends within the grace period isn't undisposed")
    func grace() async throws {
      let log = try ProcessLog()
      let subscription = Trace.Subscription(name: "late")
      subscription.begin()
      async let end: Void = Task.detached { subscription.end() }.value
      #expect(await Trace.undisposed(grace: .seconds(20))?.leaks.isEmpty == true)
      await end
      withExtendedLifetime(log) {}
    }

    @Test("Without a log, nothing is known about subscriptions")
    func off() async { #expect(await Trace.undisposed() == nil) }
  }
}
