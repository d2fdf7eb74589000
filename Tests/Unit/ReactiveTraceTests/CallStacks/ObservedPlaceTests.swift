import ReactiveKit
import TestSupport
import Testing

@testable import CodeLocations
@testable import ReactiveTrace
@testable import SwiftRuntime
@testable import SystemLibrary
@testable import TraceFormat

#if os(Linux)
  @Suite("Places of observations", .ownThread, .lookUpInTime)
  struct ObservedPlaceTests {
    private typealias Record = [String: Any]

    /// Returns the `subscribe` records of lanes, each with its `place` record.
    private func places(_ records: [Record]) -> [(subscription: Record, place: Record)] {
      let places = records.filter { $0["event"] as? String == "place" }
      let byName = Dictionary(grouping: places) { $0["lane"] as? String ?? "" }
      return records.filter {
        $0["event"] as? String == "subscribe" && $0["op"] as? String != "observe"
      }.map { ($0, byName[$0["observed"] as? String ?? ""]?.last ?? [:]) }
    }

    /// Runs the helper until it has looked up all places, and expects each place to be at the line
    /// in the lane's name.
    private func expectPlaces(
      _ arguments: [String], all: Bool = false, program: String = Helper.path
    ) throws -> [Record] {
      let log = try TemporaryLog()
      let settings = all ? ["REACTIVE_TRACE_ALL": "1"] : [:]
      var errors = ""
      for _ in 0..<20 {
        let result = try Helper(arguments, trace: log.path, settings, program: program).finish()
        #expect(result.status == 0)
        errors = result.errors
        if !errors.contains("than can be read in a second") { break }
      }
      #expect(errors == "")
      let records = try log.records()
      for (subscription, place) in places(records) {
        let lane = try #require(subscription["lane"] as? String)
        let source = place["source"] as? String
        #expect(source == expectedSource(lane), "\(lane)")
      }
      return records
    }

    /// Returns the place of an observation whose lane has the name of a case and its line.
    private func expectedSource(_ lane: String) -> String {
      // The module of a constrained extension isn't read from the name of its function, so the
      // folder below Tests takes its place.
      let module = lane.hasPrefix("extension:") ? "Programs" : "TraceWriterHelper"
      return "\(module)/ObservedCalls.swift:\(lane.split(separator: ":").last ?? "")"
    }

    @Test("An observation's place is the line of the observing call")
    func calls() throws {
      let records = try expectPlaces(["calls"])
      let subscriptions = places(records)
      #expect(subscriptions.count > 45)
      let kinds = Set(
        subscriptions.compactMap {
          ($0.subscription["lane"] as? String)?.split(separator: ":").first.map(String.init)
        })
      let expected: Set<String> = [
        "observeNext", "observe", "observeCompleted", "observeFailed", "sink", "sink-completion",
        "wait", "mapped", "function", "extension", "debug", "bind", "bind-optional", "bind-setter",
        "bind-subject", "assign", "left", "right", "sum", "twice", "latest", "merged", "outer",
        "concatenated", "deep", "retried", "around", "nested", "producer", "produced", "moved",
        "values", "iterated-signal", "iterated", "stream", "shared", "first", "second",
        "connected", "inmost",
      ]
      #expect(kinds.union(["deep"]) == expected)
      // All lanes of one pipeline have the same place.
      let sum = subscriptions.filter { pair in
        let lane = pair.subscription["lane"] as? String ?? ""
        return ["left", "right", "sum"].contains { lane.hasPrefix($0) }
      }
      #expect(sum.count == 3)
      #expect(Set(sum.compactMap { $0.subscription["observed"] as? String }).count == 1)
      let nested = subscriptions.first {
        ($0.subscription["lane"] as? String)?.hasPrefix("nested") == true
      }
      #expect((nested?.place["function"] as? String)?.hasPrefix("closure #") == true)
    }

    @Test("With all observations traced, a place is still the line of the observing call")
    func all() throws {
      let log = try TemporaryLog()
      let result = try Helper.finishWithNames(["calls"], trace: log.path)
      #expect(result.status == 0)
      let records = try log.records()
      for (subscription, place) in places(records) {
        let lane = try #require(subscription["lane"] as? String)
        // The observation can still be starting on one thread when its lane starts on another.
        if lane.hasPrefix("moved") { continue }
        #expect(place["source"] as? String == expectedSource(lane))
      }
      let unnamed = records.filter { $0["op"] as? String == "observe" }
      #expect(!unnamed.isEmpty)
      #expect(unnamed.allSatisfy { $0["observed"] != nil && $0["frames"] != nil })
    }

    @Test("Threads that observe concurrently share one name for each location")
    func concurrent() throws {
      let records = try expectPlaces(["calls-concurrent", "500"])
      let subscriptions = places(records)
      #expect(subscriptions.count == 4 * 2 * 500)
      let names = Set(subscriptions.compactMap { $0.subscription["observed"] as? String })
      // A call from each of eight depths, and one for each kind of thread.
      #expect(names.count == 10)
      #expect(records.count { $0["event"] as? String == "place" } == 10)
    }

    @Test("An observation's place is found on a very deep call stack")
    func deep() throws {
      let subscriptions = places(try expectPlaces(["calls-deep", "2000"]))
      #expect(subscriptions.count == 2)
    }

    @Test("A killed process leaves the addresses of its places in the log")
    func killed() throws {
      let log = try TemporaryLog()
      try Helper(["calls-endless"], trace: log.path).kill(afterBytes: 8)
      let lines = try log.lines()
      let line = try #require(lines.first { $0.contains("\"subscribe\"") })
      #expect(line.contains(#""observed":"call.1","frames":"0x"#))
      #expect(!lines.contains { $0.contains("\"place\"") })
    }

    @Test("Each file of a rotated log contains the places of its live subscriptions")
    func rotation() throws {
      let log = try TemporaryLog()
      let settings = ["REACTIVE_TRACE_MAX_SIZE": "64K", "REACTIVE_TRACE_WHEN_FULL": "rotate:2"]
      let result = try Helper(["calls-rotate", "3000"], trace: log.path, settings).finish()
      #expect(result.status == 0)
      // The first files were deleted.
      let last = try #require(
        (2...200).map { SegmentPath.of(log.path, $0) }.last { (try? log.text($0)) != nil })
      let records = try log.records(last)
      let alive = records.filter { $0["event"] as? String == "alive" }
      #expect(alive.compactMap { $0["observed"] as? String } == ["call.1", "call.2"])
      #expect(alive.allSatisfy { ($0["frames"] as? String)?.hasPrefix("0x") == true })
      let names = records.filter { $0["event"] as? String == "place" }
      #expect(names.compactMap { $0["lane"] as? String } == ["call.1", "call.2"])
    }

    @Test("Without debug information, a place is a function or an image and an offset")
    func stripped() throws {
      let folder = try TemporaryLog()
      for (options, isNamed) in [(["--strip-debug"], true), (["--strip-all"], false)] {
        let program = folder.folder + "/stripped"
        let strip = try ChildProcess(
          "/usr/bin/env", ["strip"] + options + ["-o", program, Helper.path])
        guard case .exited(0) = strip.finish().ending else { return }
        let result = try Helper(["calls"], trace: folder.path, program: program).finish()
        #expect(result.status == 0)
        let all = places(try folder.records())
        #expect(all.count > 45)
        for (subscription, place) in all {
          #expect(place["source"] == nil)
          let function = place["function"] as? String
          #expect(function != nil, "\(subscription)")
          if isNamed {
            #expect(
              function?.contains("ObservedCalls") == true || function?.contains("Here") == true)
          } else {
            #expect(function?.hasPrefix("stripped+0x") == true || function?.contains("(") == true)
          }
        }
      }
    }

    @Test(
      "A process with places can exit in a signal handler that interrupts the allocator",
      .enabled(if: !isSanitized, "the handler can interrupt a sanitizer that holds its own locks"),
      arguments: 1...4)
    func handler(attempt: Int) throws {
      let log = try TemporaryLog()
      let result = try Helper(["calls-handler"], trace: log.path).finish()
      #expect(result.status == 0)
      #expect(try log.records().last?["event"] as? String == "end")
    }

    @Test("Call stacks beyond the table's limit share the unknown place")
    func limit() {
      let table = PlaceTable(maxCount: 3)
      func observe(_ levels: Int) -> Int {
        levels > 0 ? observe(levels - 1) + 0 : table.here().number
      }
      for _ in 0..<2 {
        let numbers = (0..<6).map { observe($0) }
        #expect(numbers == [1, 2, 3, 0, 0, 0])
      }
      #expect(table.known(.unknown).isLookedUp)
    }

    @Test("A place has the same number on all threads")
    func threads() {
      let table = PlaceTable()
      let numbers = Locked<[[Int]]>([])
      onThreads(4) { _ in
        var own: [Int] = []
        for _ in 0..<100 { own.append(table.here().number) }
        let found = own
        numbers.withLock { $0.append(found) }
      }
      #expect(Set(numbers.withLock { $0 }.joined()) == [1])
    }

    @Test("A place token isn't mistaken for a subscription")
    func token() throws {
      let recorder = try RecordedLog().recorder
      let token = TraceToken(PlaceNumber(number: 7))
      #expect(token.place == PlaceNumber(number: 7))
      #expect(!token.isSubscription && !token.isWhole)
      #expect(token.id(in: recorder) == nil)
      let other = TraceToken(id: 7, in: recorder)
      #expect(other.place == nil && other.isSubscription && other.whole.place == nil)
      #expect(TraceToken.none.place == nil && !TraceToken.none.isSubscription)
    }

    @Test("A leak error contains the place of the observation")
    func report() throws {
      let subject = PassthroughSubject<Int, Never>()
      let bag = DisposeBag()
      var line = 0
      var error: Trace.LeakError?
      // A lookup is limited to a second, which is too short on a busy machine.
      for _ in 0..<200 where error?.leaks.first?.observed?.source == nil {
        do {
          try Trace.expectNoLeaks(grace: .zero) {
            line = #line + 1
            subject.lane("a").observeNext { _ in }.dispose(in: bag)
          }
        } catch let leaks as Trace.LeakError {
          error = leaks
        }
      }
      bag.dispose()
      let leak = try #require(error?.leaks.first)
      let place = "ReactiveTraceTests/ObservedPlaceTests.swift:\(line)"
      #expect(leak.observed?.source == place)
      #expect(leak.observed?.function?.contains("report()") == true)
      #expect(error?.description.contains("observed at \(place)") == true)
    }
  }

  @Suite("Names of functions", .ownThread)
  struct CodeFunctionTests {
    /// A closure in a field, so that the compiler doesn't wrap it in another function.
    private struct Holder {
      let closure: () -> Void

      /// The address of the closure's first instruction.
      var entry: UInt { withUnsafeBytes(of: self) { $0.load(as: UInt.self) } }
    }

    private final class Screen {
      var value = 0
    }

    @Test("Closures are named with the lines where they begin")
    func closures() {
      let screen = Screen()
      let number = Int.random(in: 0...9)
      let line = #line
      let closures = [
        Holder { screen.value += 1 },
        Holder { screen.value += number },
        Holder { print("") },
      ]
      let locations = ObservationLocations(PlaceTable(CodeNames(limit: .max)))
      let entries = closures.map(\.entry)
      let functions = locations.functions(at: entries + [1, 2])
      #expect(functions.count <= entries.count)
      for (index, entry) in entries.enumerated() {
        guard let function = functions[entry], function.origin != .thunk else { continue }
        #expect(
          function.location.source
            == "ReactiveTraceTests/ObservedPlaceTests.swift:\(line + 2 + index)")
        #expect(
          function.location.function == "closure #\(index + 1) in CodeFunctionTests.closures()")
        #expect(function.origin == .user)
        #expect(locations.codeLocation(ofFunctionAt: entry) == function.location)
      }
      #expect(functions.values.contains { $0.origin == .user })
    }

    @Test("Compiler-added suffixes are removed from a symbol")
    func ownNames() {
      #expect(MangledName.callee(of: "$s3App3runyyFyycfU_TA") == "$s3App3runyyFyycfU_")
      #expect(MangledName.callee(of: "$s3App3runyyFyycfU_TATu") == "$s3App3runyyFyycfU_")
      #expect(MangledName.callee(of: "$s3App3runyyFyycfU_TA.12") == "$s3App3runyyFyycfU_")
      #expect(MangledName.callee(of: "main.TA") == "main.TA")
    }

    @Test("A source file's name begins with its module, like #fileID")
    func modules() {
      let path = "/app/Samples/SearchBox/SearchScreen.swift"
      #expect(
        SourceFile.name(of: path, in: "$s12SearchSample6ScreenC4showyyF")
          == "SearchSample/SearchScreen.swift")
      // An extension of another module's type.
      #expect(
        SourceFile.name(of: path, in: "$s11ReactiveKit6SignalV3AppE4showyyF")
          == "App/SearchScreen.swift")
      #expect(SourceFile.name(of: path, in: "main") == "SearchBox/SearchScreen.swift")
      #expect(
        SourceFile.name(of: "/x/Sources/App/Deep/Down/File.swift", in: nil) == "App/File.swift")
      #expect(SourceFile.name(of: "Sources/App/File.swift", in: "$sSS3AppE") == "App/File.swift")
      #expect(SourceFile.name(of: "File.swift", in: nil) == "File.swift")
      #expect(SourceFile.name(of: "", in: "$s") == "")
      for text in ["$s", "$s0", "$s3", "$s3Ap", "$s99App", "$s3App", "$s3App3"] {
        #expect(SourceFile.module(of: text) == (text.hasPrefix("$s3App") ? "App" : nil))
      }
    }

    @Test("User extensions of this package's types aren't mistaken for its own code")
    func extensions() {
      let theirs = [
        "$s11ReactiveKit14SignalProtocolP17TraceWriterHelperSi7ElementRtzs5NeverO5ErrorRtzrlE"
          + "4hereyyF",
        "$s11ReactiveKit6SignalV3AppE4showyyF",
      ]
      let ours = [
        "$s11ReactiveKit14SignalProtocolPAAE11observeNext4withyF",
        "$s11ReactiveKit11SubjectCoreC4sendyyAA6SignalV5EventOyxq__GF", "$s3App3runyyF", "main",
      ]
      #expect(theirs.allSatisfy { SourceFile.mayExtendOurs($0) })
      #expect(!ours.contains { SourceFile.mayExtendOurs($0) })
      let path = "/x/Sources/ReactiveKit/Signal/Signal.swift"
      let frame = CodeFrame(function: theirs[0], row: (path, 3), nearest: { ("/App/Run.swift", 9) })
      guard case .location(let location) = frame else {
        Issue.record("\(frame)")
        return
      }
      #expect(
        location.source == "TraceWriterHelper/Run.swift:9" || location.source == "App/Run.swift:9")
      #expect(CodeFrame(function: theirs[0], row: (path, 3), nearest: { nil }) == .ours)
    }
  }
#endif
