import InMemoryTracing
import ReactiveTrace
import Testing
import TracedSpans
import Tracing

extension ServicesTests {
  @Suite("Spans and scopes")
  struct SpanTests {
    private struct Broken: Error {}

    private let base = InMemoryTracer()

    /// What the log says about a scope.
    private struct Scope: Equatable {
      let name: String
      let outer: Int?
      var ends = 0
    }

    private func scopes(_ trace: MemoryTrace) -> [Int: Scope] {
      var scopes: [Int: Scope] = [:]
      for record in trace.records {
        guard let number = record.scope else { continue }
        if record.event == .scopeBegin {
          let outer = record.json.firstMatch(of: /"outer":(\d+)/).flatMap { Int($0.1) }
          scopes[number] = Scope(name: record.name ?? "", outer: outer)
        } else if record.event == .scopeEnd {
          scopes[number]?.ends += 1
        }
      }
      return scopes
    }

    /// Returns the scope of the subscription of a lane.
    private func scope(of lane: String, _ trace: MemoryTrace) -> String? {
      trace.records.first { $0.event == .subscribe && $0.lane == lane }
        .flatMap(\.scope).flatMap { scopes(trace)[$0]?.name }
    }

    private func span(_ name: String) throws -> FinishedInMemorySpan {
      let found = base.finishedSpans.filter { $0.operationName == name }
      #expect(found.count == 1)
      return try #require(found.first)
    }

    @Test("A subscription that is made in a span has its scope")
    func spans() throws {
      let trace = try MemoryTrace()
      let tracer = TracedTracer(base)
      tracer.withSpan("request") { _ in
        begin("a").end()
        tracer.withSpan("query") { _ in begin("b").end() }
        begin("c").end()
      }
      begin("d").end()
      let names = ["a", "b", "c", "d"].map { scope(of: $0, trace) }
      #expect(names == ["request", "query", "request", nil])
      let expected = [
        1: Scope(name: "request", outer: nil, ends: 1), 2: Scope(name: "query", outer: 1, ends: 1),
      ]
      #expect(scopes(trace) == expected)
    }

    @Test("A span and its scope can be found from each other")
    func identifiers() throws {
      let trace = try MemoryTrace()
      TracedTracer(base).withSpan("request") { _ in begin("a").end() }
      let attributes = try span("request").attributes
      let number = trace.records.first { $0.event == .subscribe }?.scope
      #expect(attributes.get("reactivekit.scope") == number.map { .int64(Int64($0)) })
      let header = try #require(trace.records.first?.json)
      let log = try #require(header.firstMatch(of: /"trace":"([0-9a-f]+)"/)).1
      #expect(attributes.get("reactivekit.log") == .string(String(log)))
    }

    @Test("The body of a scope runs in a span, below that of the scope or span around it")
    func scopes() async throws {
      let trace = try MemoryTrace()
      let tracer = TracedTracer(base)
      await tracer.withSpan("request") { _ in
        await Trace.withScope("screen") {
          await Task.yield()
          Trace.withScope("part") { begin("a").end() }
          tracer.withSpan("query") { _ in begin("b").end() }
        }
      }
      #expect(scope(of: "a", trace) == "part")
      #expect(scope(of: "b", trace) == "query")
      let request = try span("request")
      let screen = try span("screen")
      #expect(request.parentSpanID == nil)
      #expect(screen.parentSpanID == request.spanID)
      #expect(try span("part").parentSpanID == screen.spanID)
      #expect(try span("query").parentSpanID == screen.spanID)
      #expect(screen.attributes.get("reactivekit.scope") == .int64(2))
      #expect(scopes(trace).values.map(\.ends) == [1, 1, 1, 1])
      #expect(scopes(trace).mapValues(\.outer) == [1: nil, 2: 1, 3: 2, 4: 2])
    }

    @Test("Scopes have no spans if that isn't wanted")
    func onlySpans() throws {
      let trace = try MemoryTrace()
      let tracer = TracedTracer(base, scopesAreSpans: false)
      tracer.withSpan("request") { _ in
        Trace.withScope("screen") {
          begin("a").end()
          tracer.withSpan("query") { _ in begin("b").end() }
        }
      }
      #expect(base.finishedSpans.map(\.operationName) == ["query", "request"])
      #expect(scope(of: "a", trace) == "screen")
      #expect(scopes(trace).mapValues(\.outer) == [1: nil, 2: 1, 3: 2])
    }

    @Test("The error of a body is recorded in the span, and rethrown")
    func errors() async throws {
      let trace = try MemoryTrace()
      let tracer = TracedTracer(base)
      #expect(throws: Broken.self) {
        try Trace.withScope("a") { () throws(Broken) in throw Broken() }
      }
      await #expect(throws: Broken.self) {
        try await Trace.withScope("b") { () async throws(Broken) in throw Broken() }
      }
      #expect(throws: Broken.self) { try tracer.withSpan("c") { _ in throw Broken() } }
      for name in ["a", "b", "c"] {
        let span = try span(name)
        #expect(span.errors.count == 1)
        #expect(span.status?.code == .error)
      }
      #expect(scopes(trace).values.map(\.ends) == [1, 1, 1])
    }

    @Test("A span that ends elsewhere, or twice, ends its scope once")
    func manual() async throws {
      let trace = try MemoryTrace()
      let tracer = TracedTracer(base)
      let span = tracer.startSpan("stream")
      await Task.detached { span.end() }.value
      tracer.activeSpan(identifiedBy: span.context)?.end()
      span.end()
      #expect(scopes(trace) == [1: Scope(name: "stream", outer: nil, ends: 1)])
      #expect(base.finishedSpans.count == 1)
    }

    @Test("A span with an explicit context is below the scope of that context")
    func explicitContext() throws {
      let trace = try MemoryTrace()
      let tracer = TracedTracer(base)
      let first = tracer.startSpan("first", context: .topLevel)
      tracer.withSpan("second", context: .topLevel) { _ in
        tracer.withSpan("below first", context: first.context) { _ in begin("a").end() }
        tracer.withSpan("root", context: .topLevel) { _ in begin("b").end() }
      }
      first.end()
      #expect(scopes(trace).mapValues(\.outer) == [1: nil, 2: nil, 3: 1, 4: nil])
      #expect(scope(of: "a", trace) == "below first")
      #expect(scope(of: "b", trace) == "root")
      #expect(try span("below first").parentSpanID == span("first").spanID)
    }

    @Test("A subscription that outlives its span is known")
    func outlived() throws {
      let trace = try MemoryTrace()
      let leak = TracedTracer(base).withSpan("request") { _ in begin("a") }
      #expect(Trace.activeSubscriptions.map(\.scope) == ["request"])
      withExtendedLifetime((trace, leak)) {}
    }

    @Test("A wrapped tracer gets everything, and what it injects is its own")
    func forwards() throws {
      let trace = try MemoryTrace()
      let tracer = TracedTracer(base)
      let other = tracer.startSpan("other")
      let span = tracer.startSpan("first name", ofKind: .client)
      span.operationName = "name"
      span.attributes["user"] = 7
      span.addEvent("event")
      span.addLink(SpanLink(context: other.context, attributes: [:]))
      span.setStatus(SpanStatus(code: .ok))
      span.recordError(Broken())
      #expect(span.isRecording)
      var carrier: [String: String] = [:]
      tracer.inject(span.context, into: &carrier, using: DictionaryInjector())
      span.end()
      #expect(!span.isRecording)
      #expect(trace.records.last { $0.event == .scopeEnd }?.name == "name")
      let finished = try self.span("name")
      #expect(finished.kind == .client)
      #expect(finished.attributes.get("user") == .int64(7))
      #expect(finished.events.map(\.name) == ["event"])
      #expect(finished.links.count == 1)
      #expect(finished.errors.count == 1)
      #expect(finished.status?.code == .ok)
      #expect(carrier[InMemoryTracer.spanIDKey] == finished.spanID)
      var context = ServiceContext.topLevel
      tracer.extract(carrier, into: &context, using: DictionaryExtractor())
      tracer.withSpan("answer", context: context) { _ in }
      #expect(try self.span("answer").traceID == finished.traceID)
      other.end()
      withExtendedLifetime(trace) {}
    }

    @Test("Without a trace, spans are those of the wrapped tracer, and scopes don't have any")
    func off() throws {
      let tracer = TracedTracer(base)
      let result = tracer.withSpan("request") { _ in Trace.withScope("screen") { 1 } }
      #expect(result == 1)
      #expect(try span("request").attributes.isEmpty)
      #expect(base.finishedSpans.count == 1)
    }

    @Test("Spans and scopes of many tasks don't mix")
    func concurrency() async throws {
      let trace = try MemoryTrace()
      let tracer = TracedTracer(base)
      await withTaskGroup { group in
        for number in 0..<64 {
          group.addTask {
            await tracer.withSpan("request \(number)") { _ in
              begin("in request \(number)").end()
              await Trace.withScope("scope \(number)") {
                await Task.yield()
                await tracer.withSpan("query \(number)") { _ in
                  await Task.yield()
                  begin("in query \(number)").end()
                }
                async let child: Void = begin("in child \(number)").end()
                await child
              }
            }
          }
        }
      }
      let scopes = scopes(trace)
      #expect(scopes.count == 192)
      #expect(scopes.values.allSatisfy { $0.ends == 1 })
      let spans = Dictionary(grouping: base.finishedSpans, by: \.operationName)
      #expect(spans.count == 192)
      #expect(base.activeSpans.isEmpty)
      let subscriptions = Dictionary(
        grouping: trace.records.filter { $0.event == .subscribe }, by: { $0.lane ?? "" })
      func owner(_ lane: String) -> String? {
        subscriptions[lane]?.first?.scope.flatMap { scopes[$0]?.name }
      }
      func outer(_ name: String) -> String? {
        scopes.values.first { $0.name == name }?.outer.flatMap { scopes[$0]?.name }
      }
      for number in 0..<64 {
        #expect(owner("in request \(number)") == "request \(number)")
        #expect(owner("in child \(number)") == "scope \(number)")
        #expect(owner("in query \(number)") == "query \(number)")
        #expect(outer("request \(number)") == nil)
        #expect(outer("scope \(number)") == "request \(number)")
        #expect(outer("query \(number)") == "scope \(number)")
        let names = ["request \(number)", "scope \(number)", "query \(number)"]
        let own = names.compactMap { spans[$0]?.first }
        #expect(own.count == 3)
        #expect(own.map(\.parentSpanID).dropFirst() == own.map { $0.spanID as String? }.dropLast())
        for span in own {
          guard case .int64(let scope)? = span.attributes.get("reactivekit.scope") else {
            Issue.record("\(span.operationName) has no scope")
            continue
          }
          #expect(scopes[Int(scope)]?.name == span.operationName)
        }
      }
    }
  }
}

private struct DictionaryInjector: Injector {
  func inject(_ value: String, forKey key: String, into carrier: inout [String: String]) {
    carrier[key] = value
  }
}

private struct DictionaryExtractor: Extractor {
  func extract(key: String, from carrier: [String: String]) -> String? { carrier[key] }
}
