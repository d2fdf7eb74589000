#if os(Linux)
  import Dispatch
  import ReactiveKit
  import TestSupport
  import Testing

  @testable import CodeLocations
  @testable import ReactiveTrace
  @testable import SystemLibrary
  @testable import TraceFormat

  @Suite("The running test")
  struct RunningTestTests {
    @Test("The running test has the names of its suites and the line of its declaration")
    func current() throws {
      let line = #line - 2
      let test = try #require(RunningTest.current)
      #expect(test.name == "RunningTestTests/current()")
      #expect(test.source == "ReactiveTraceTests/RunningTestTests.swift:\(line)")
    }

    @Test("Each argument of a test has the same name", arguments: 1...20)
    func argument(_: Int) {
      #expect(RunningTest.current?.name == "RunningTestTests/argument(_:)")
    }

    @Test("Child tasks belong to the test, and detached ones don't")
    func tasks() async {
      async let child = RunningTest.current?.name
      #expect(await child == "RunningTestTests/tasks()")
      #expect(await Task { RunningTest.current?.name }.value == "RunningTestTests/tasks()")
      #expect(await Task.detached { RunningTest.current }.value == nil)
    }

    @Test("Asking for the running test doesn't retain or release anything twice")
    func manyTimes() {
      for _ in 0..<10_000 { #expect(RunningTest.current != nil) }
    }

    @Test("Macros and repeated lines are left out of the calls to a place, and the outermost stays")
    func calls() {
      func location(_ line: Int) -> CodeLocation {
        CodeLocation(source: "App/A.swift:\(line)", function: "a\(line)()")
      }
      let macro = CodeLocation(source: "App/@__swiftmacro_3App1A.swift:1", function: "$s3App")
      let calls = ObservationLocations.Resolved.calls(
        [location(1), location(1), macro] + (2...20).map(location))
      #expect(calls.map(\.source) == ([1, 2, 3, 4, 5, 6, 7, 20].map { "App/A.swift:\($0)" }))
      #expect(ObservationLocations.Resolved.calls([]) == [])
    }
  }

  extension ProcessLogTests {
    @Suite("Tests as scopes", .ownThread)
    struct TestScopeTests {
      private func observe(_ lane: String) {
        Signal<Int, Never>(just: 1).lane(lane, filter: .subscription).observe { _ in }.dispose()
      }

      @Test("A subscription is in the scope of the test, and so are scopes of the program")
      func scopes() throws {
        let log = try ProcessLog(Trace.Options(recordsTests: true))
        observe("a")
        Trace.withScope("outer") { observe("b") }
        observe("c")
        let begins = log.memory.lines.filter { $0.contains("scope-begin") }
        #expect(begins.count == 2)
        let name = #""name":"ProcessLogTests/TestScopeTests/scopes()","kind":"test""#
        #expect(begins.first?.contains(name) == true)
        #expect(begins.first?.contains(#""source":"ReactiveTraceTests/RunningTest"#) == true)
        #expect(begins.last?.contains(#""scope":2,"outer":1,"name":"outer"}"#) == true)
        #expect(try ["a", "b", "c"].map { try log.subscribe($0).scope } == [1, 2, 1])
      }

      @Test("Without the option, tests aren't recorded")
      func withoutOption() throws {
        let log = try ProcessLog()
        observe("a")
        #expect(try log.subscribe("a").scope == nil)
      }
    }
  }
#endif
