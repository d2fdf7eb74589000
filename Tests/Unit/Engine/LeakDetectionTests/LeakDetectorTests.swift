#if os(Linux)
  import TestSupport
  import Testing

  @testable import LeakDetection

  @Suite(
    "LeakDetector", .enabled(if: !isSanitized, "the allocator of a sanitizer isn't glibc's"))
  struct LeakDetectorTests {
    @Test("A process finds its own cycles with their steps, and no objects in use")
    func leaks() throws {
      // Other tests of this process search its memory, too.
      let (ending, output, _) = try ChildProcess(
        BuiltProgram.path(of: "TraceWriterHelper"), ["detected-objects"]
      ).finish()
      #expect(ending == .exited(0))
      #expect(
        String(decoding: output, as: UTF8.self) == """
          3 false TraceWriterHelper/LostObjects.swift:50
          LostScreen: 6 objects kept alive by 3 cycles with the same steps
            LostScreen.onClose: closure
            closure at LostObjects.swift:50: captures self strongly  <- break it here
            Capture self weakly: [weak self].

          """)
    }

    @Test("A recorder doesn't hide the cycle of an observation", arguments: [true, false])
    func tracedCycles(isTraced: Bool) throws {
      let log = try TemporaryLog()
      let (ending, output, _) = try ChildProcess(
        BuiltProgram.path(of: "TraceWriterHelper"), ["observing-screens", "100"],
        environment: ["REACTIVE_TRACE": isTraced ? log.path : nil]
      ).finish()
      #expect(ending == .exited(0))
      let text = String(decoding: output, as: UTF8.self)
      let match = try #require(text.firstMatch(of: /^\["(\d+) false"\]\n$/), "\(text)")
      // An old word outside of stacks hides one screen, and in 2 of 90 runs another one.
      #expect(95...100 ~= Int(match.output.1) ?? 0)
    }

    @Test("Each cycle is reported once, to the first interval that ends after it")
    func intervals() throws {
      let (ending, output, _) = try ChildProcess(
        BuiltProgram.path(of: "TraceWriterHelper"), ["watched-objects"]
      ).finish()
      #expect(ending == .exited(0))
      #expect(
        String(decoding: output, as: UTF8.self) == """
          nothing: []
          two: ["2 LostScreen"]
          inner: ["4 LostScreen"]
          outer: []
          after a canceled interval: []

          """)
    }

    @Test("Explanations don't leave cycles of their own behind")
    func ownCycles() throws {
      let (ending, output, _) = try ChildProcess(
        BuiltProgram.path(of: "TraceWriterHelper"), ["search-after-explaining"]
      ).finish()
      #expect(ending == .exited(0))
      #expect(String(decoding: output, as: UTF8.self) == "[]\n")
    }

    @Test("A search without time throws an error that says what to do")
    func limit() {
      #expect(throws: LeakDetectionError(.timedOut)) {
        try LeakDetector.leaks(limit: .zero)
      }
      #expect(LeakDetectionError(.timedOut).description.contains("'limit'"))
    }
  }
#endif
