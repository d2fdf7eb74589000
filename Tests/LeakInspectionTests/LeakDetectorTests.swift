#if os(Linux)
  import TestSupport
  import Testing

  @testable import LeakDetection

  @Suite(
    "LeakDetector", .enabled(if: !isSanitized, "the allocator of a sanitizer isn't glibc's"))
  struct LeakDetectorTests {
    /// A screen that its own closure retains.
    private final class Detected {
      var onClose: (() -> Void)?
      var closed = 0

      func open() { onClose = { self.closed += 1 } }
    }

    /// Makes cycles in a frame that is far away from those that come later.
    @inline(never)
    private func leak(_ depth: Int = 16) {
      guard depth == 0 else { return leak(depth - 1) }
      // One of several is found even if old words hide some of them.
      for _ in 0..<50 { Detected().open() }
    }

    @Test("The cycles of this process are found with their steps, and objects in use aren't")
    func leaks() throws {
      leak()
      let used = Detected()
      used.open()
      let found = try LeakDetector.leaks(limit: .seconds(60))
        .filter { $0.className.hasSuffix("Detected") }
      let leak = try #require(found.first)
      #expect(found.count == 1)
      #expect(!leak.isProbable)
      #expect((1...50).contains(leak.count))
      #expect(leak.members.map(\.className) == [leak.className])
      #expect(leak.source?.hasPrefix("LeakInspectionTests/LeakDetectorTests.swift:") == true)
      #expect(leak.description.contains("Detected.onClose: closure\n"))
      #expect(leak.description.contains("captures self strongly  <- break it here"))
      used.onClose = nil
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
