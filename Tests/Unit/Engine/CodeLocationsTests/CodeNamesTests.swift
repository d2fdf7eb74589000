#if os(Linux)
  import TestSupport
  import Testing

  @testable import CodeLocations
  @testable import SystemLibrary

  @Suite("Names of return addresses")
  struct CodeNamesTests {
    @Test("A call stack is named after its innermost frame outside this package")
    func location() throws {
      let (stack, line) = (CallStack.current(), #line)
      let (locations, isComplete) = CodeNames(limit: .max).locations(of: [
        stack, CallStack(addresses: []),
      ])
      #expect(isComplete)
      #expect(locations[1] == nil)
      let location = try #require(locations[0])
      #expect(location.source == "CodeLocationsTests/CodeNamesTests.swift:\(line)")
      #expect(location.function == "CodeNamesTests.location()")
      #expect(location.laneName == "CodeLocationsTests/CodeNamesTests.swift:\(line)")
    }

    @Test("The callers of a stack are the calls with a line, innermost first")
    func callers() throws {
      func inner() -> CallStack { CallStack.current() }
      let (stack, line) = (inner(), #line)
      let names = CodeNames(limit: .max)
      _ = names.locations(of: [stack])
      let callers = names.knownCallers([stack])[0].compactMap(\.source)
      #expect(
        callers.prefix(2) == [
          "CodeLocationsTests/CodeNamesTests.swift:\(line - 1)",
          "CodeLocationsTests/CodeNamesTests.swift:\(line)",
        ])
      #expect(names.knownCallers([CallStack(addresses: [])]) == [[]])
    }

    @Test("If time runs out, names are missing and the lookup reports that it's incomplete")
    func late() {
      let (locations, isComplete) = CodeNames(limit: 0).locations(of: [CallStack.current()])
      #expect(locations == [nil])
      #expect(!isComplete)
    }

    @Test("Looking up a call stack again returns the same locations")
    func once() {
      let names = CodeNames(limit: .max)
      let stack = CallStack.current()
      let locations = names.locations(of: [stack]).locations
      #expect(names.locations(of: [stack]).locations == locations)
    }

    @Test("Addresses are sorted by file offset, even if the offsets wrap around")
    func wrappingAddresses() {
      let moved = CodeNames.moved([0x3001, 0x1001, 0x2001], by: 0x1800)
      #expect(moved.map(\.offset) == [0x800, 0x1800, UInt.max - 0x7FF])
      #expect(moved.map(\.address) == [0x2001, 0x3001, 0x1001])
    }

    @Test("A frame without a line is named after its function or the nearest line")
    func function() {
      let frame = CodeFrame(function: "$s3App3runyyF", row: nil, nearest: { nil })
      #expect(frame == .location(CodeLocation(source: nil, function: "run()")))
      // An instruction without a source line gets the nearest line before it.
      let made = CodeFrame(
        function: "$s3App3runyyF", row: ("/App/<compiler-generated>", 0),
        nearest: { ("/App/Sources/App/Run.swift", 7) })
      #expect(made == .location(CodeLocation(source: "App/Run.swift:7", function: "run()")))
    }

    @Test("Very long function names are truncated without overflowing a small stack")
    func longNames() {
      let isDone = onAnotherThread(stackSize: 320 << 10) {
        for count in [100, 200, 300, 60_000] {
          let nested =
            String(repeating: "Say", count: count) + "Si" + String(repeating: "G", count: count)
          let optional = "Si" + String(repeating: "Sg", count: 2 * count)
          for type in [nested, optional] {
            let function = "$s3App3runyy\(type)F"
            let frame = CodeFrame(function: function, row: nil, nearest: { nil })
            guard case .location(let location) = frame else {
              Issue.record("\(count): \(frame)")
              continue
            }
            #expect((location.function ?? "").utf8.count < 16_384)
            if function.utf8.count > 1024 { #expect(location.function?.hasSuffix("...") == true) }
          }
        }
      }
      #expect(isDone)
    }

    @Test("Frames of this package, of libraries and of the compiler don't name a call stack")
    func foreign() {
      let ours = "$s11ReactiveKit5localyyF"
      let path = "/checkouts/ReactiveKit/Sources/ReactiveKit/Signal/Signal.swift"
      #expect(CodeFrame(function: ours, row: nil, nearest: { nil }) == .ours)
      #expect(CodeFrame(function: nil, row: (path, 3), nearest: { nil }) == .ours)
      // Optimized code has paths like this.
      let relative = "Sources/ReactiveKit/Signal/Signal.swift"
      #expect(CodeFrame(function: nil, row: (relative, 3), nearest: { nil }) == .ours)
      #expect(CodeFrame(function: "start_thread", row: nil, nearest: { nil }) == .unknown)
      #expect(CodeFrame(function: "$sSa6appendyyxnF", row: nil, nearest: { nil }) == .unknown)
      // Inlined into a user function.
      let inlined = CodeFrame(
        function: "$s3App3runyyF", row: (path, 3), nearest: { ("/x/App/Run.swift", 9) })
      #expect(inlined == .location(CodeLocation(source: "App/Run.swift:9", function: "run()")))
    }

    @Test("Closures in Foundation aren't user code, but closures in extensions of its types are")
    func closuresOfSystem() {
      #expect(CodeFrame.isOfSystem(function: "$s10Foundation18NotificationCenterC3addyyFyycfU_"))
      #expect(CodeFrame.isOfSystem(function: "$s11Observation0A8TrackingV7installyyFyycfU_"))
      #expect(!CodeFrame.isOfSystem(function: "$s10Foundation4DateV5MyAppE4textSSvgyycfU_"))
      #expect(!CodeFrame.isOfSystem(function: "$s5MyApp6ScreenC4openyyFyycfU_"))
    }
  }
#endif
