import Dispatch
import ReactiveKit
import TestSupport
import Testing

@testable import ReactiveTrace

extension ProcessLogTests {
  @Suite(
    "expectDeallocated", .ownThread,
    .enabled(if: !isSanitized, "a search for holders takes too long with a sanitizer"))
  struct ExpectDeallocatedTests {
    @Test("A check of an object that is deallocated passes without waiting")
    func clean() async throws {
      let start = ContinuousClock.now
      try await Trace.expectDeallocated(grace: .seconds(3600)) {
        EditorScreen()
      } after: { screen in
        screen.bindWeakly()
        await Task.yield()
      }
      try await Trace.expectDeallocated(grace: .seconds(3600)) {
        DownloadQueue()
      } after: {
        await $0.finish()
      }
      try blocking(grace: .seconds(3600)) { EditorScreen() }
      #expect(ContinuousClock.now - start < .seconds(3600))
    }

    /// Calls the synchronous function, which asynchronous code doesn't choose.
    private func blocking(
      grace: Duration = .milliseconds(1), _ make: () throws -> EditorScreen
    ) throws {
      try Trace.expectDeallocated(grace: grace, make)
    }

    @Test("The error of a check reads like a report, with the cycle and what to change")
    func report() async throws {
      let line = #line + 2
      let error = await #expect(throws: Trace.DeallocationError.self) {
        try await Trace.expectDeallocated(grace: .milliseconds(1), line: line) {
          EditorScreen()
        } after: {
          $0.bindStrongly()
          await Task.yield()
        }
      }
      let text = try #require(error?.description)
      let lines = text.split(separator: "\n").map(String.init)
      #expect(
        lines[0] == "1 object was not deallocated within a grace period of 1 ms, checked at "
          + "ReactiveTraceTests/ExpectDeallocatedTests.swift:\(line):")
      #expect(lines[1] == "! EditorScreen")
      guard !isSanitized else { return }
      #expect(lines[2] == "    kept alive by a cycle:")
      // A lookup of the line is limited to a second, which is too short on a busy machine.
      #expect(
        text.contains("closure at LeakyApp.swift:")
          || text.contains("closure in EditorScreen.bindStrongly"), "\(text)")
      #expect(text.contains("captures self strongly      <- break it here: [weak self]"), "\(text)")
      #expect(text.contains("EditorScreen.onSave"), "\(text)")
    }

    @Test("The synchronous check throws the same error")
    func blockingReport() {
      let error = #expect(throws: Trace.DeallocationError.self) {
        try blocking {
          let screen = EditorScreen()
          screen.bindStrongly()
          return screen
        }
      }
      #expect(error?.objects.map(\.type) == ["EditorScreen"])
      #expect(error?.objects.first?.explanation?.kind == .cycle)
    }

    @Test("A check of several objects lists those that are alive")
    func several() async {
      let error = await #expect(throws: Trace.DeallocationError.self) {
        try await Trace.expectDeallocated(grace: .milliseconds(1)) {
          (EditorScreen(), CheckoutCoordinator(), DownloadQueue())
        } after: { screen, coordinator, queue in
          screen.bindWeakly()
          coordinator.begin()
          await queue.finish()
        }
      }
      #expect(error?.objects.map(\.type) == ["CheckoutCoordinator"])
    }

    @Test("An object that a task retains until its turn comes isn't a failure")
    @MainActor func pendingTask() async throws {
      try await Trace.expectDeallocated(grace: .seconds(3600)) {
        FeedModel()
      } after: { model in
        model.load()
      }
    }

    @Test("A view model that cancels its task is deallocated")
    @MainActor func canceledTask() async throws {
      let (stream, continuation) = AsyncStream.makeStream(of: String.self)
      try await Trace.expectDeallocated(grace: .seconds(3600)) {
        FeedModel()
      } after: {
        $0.follow(stream)
        $0.close()
      }
      continuation.finish()
    }

    @Test("The error about a screen names the subscription that retains it")
    func subscription() throws {
      let prices = PassthroughSubject<Int, Never>()
      let error = #expect(throws: Trace.DeallocationError.self) {
        try Trace.expectDeallocated(grace: .milliseconds(1)) {
          let screen = PriceScreen()
          screen.open(prices)
          return screen
        }
      }
      let explanation = try #require(error?.objects.first?.explanation)
      #expect(explanation.kind == .cycle, "\(explanation)")
      #expect(explanation.steps.contains { $0.what == "PriceScreen.bag" }, "\(explanation)")
    }

    @Test("A check waits for an object that another thread releases")
    func releasedLater() throws {
      let queue = DispatchQueue(label: "deallocation.later")
      try Trace.expectDeallocated(grace: .seconds(3600)) {
        let screen = EditorScreen()
        let box = Unchecked(screen)
        queue.async { withExtendedLifetime(box.value) {} }
        return screen
      }
    }

    @Test("A check rethrows the errors of its closures")
    func errors() async {
      struct Broken: Error {}
      func broken() throws -> EditorScreen { throw Broken() }
      await #expect(throws: Broken.self) {
        try await Trace.expectDeallocated {
          try broken()
        } after: { _ in
          await Task.yield()
        }
      }
      await #expect(throws: Broken.self) {
        try await Trace.expectDeallocated {
          EditorScreen()
        } after: { screen in
          screen.bindStrongly()
          defer { screen.onSave = nil }
          await Task.yield()
          throw Broken()
        }
      }
    }

    @Test("A check in a canceled task ends after its grace period")
    func canceled() async {
      let task = Task {
        try await Trace.expectDeallocated(grace: .milliseconds(1)) {
          EditorScreen()
        } after: {
          $0.bindStrongly()
          await Task.yield()
        }
      }
      task.cancel()
      await #expect(throws: Trace.DeallocationError.self) { try await task.value }
    }

    @Test("A check of other objects doesn't retain them")
    func check() async throws {
      var screen: EditorScreen? = EditorScreen()
      let check = Trace.DeallocationCheck(try #require(screen))
      await #expect(throws: Trace.DeallocationError.self) {
        try await check.verify(grace: .milliseconds(1))
      }
      screen = nil
      try await check.verify(grace: .seconds(3600))
    }

    @Test("Many checks at the same time only find their own leaks")
    func parallel() async {
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<16 {
          group.addTask {
            if number.isMultiple(of: 4) {
              let error = await #expect(throws: Trace.DeallocationError.self) {
                try await Trace.expectDeallocated(grace: .milliseconds(1)) {
                  EditorScreen()
                } after: {
                  $0.bindStrongly()
                  await Task.yield()
                }
              }
              #expect(error?.objects.count == 1)
            } else {
              await #expect(throws: Never.self) {
                try await Trace.expectDeallocated(grace: .seconds(3600)) {
                  EditorScreen()
                } after: {
                  $0.bindWeakly()
                  await Task.yield()
                }
              }
            }
          }
        }
      }
    }
  }
}
