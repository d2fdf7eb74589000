import Dispatch
import ReactiveKit
import ReactiveTrace
import SystemLibrary
import TestThreads

/// A model of the main actor that follows a stream.
@MainActor
private final class FeedModel {
  private var items: [String] = []
  private var updates: Task<Void, Never>?

  func follow(_ stream: AsyncStream<String>) {
    updates = Task {
      for await item in stream { self.items.append(item) }
    }
  }
}

private final class EditorScreen: Sendable {
  private let title = "Untitled"

  func save(on queue: DispatchQueue) { queue.async { print(self.title) } }

  /// Retains the screen in a thread that waits.
  func edit(_ isReady: DispatchSemaphore) {
    startThread {
      let window = Window(self)
      isReady.signal()
      while true { pause() }
      withExtendedLifetime(window) {}
    }
  }
}

private final class Window {
  let screen: EditorScreen

  init(_ screen: EditorScreen) { self.screen = screen }
}

private final class ClockFace {
  private let timer = DispatchSource.makeTimerSource(queue: .global())
  private var ticks = 0

  func start() {
    timer.setEventHandler { self.ticks += 1 }
    timer.schedule(deadline: .distantFuture)
    timer.activate()
  }
}

private enum ScreenCache {
  static let screens = Locked<[EditorScreen]>([])
}

/// Processes that explain why an object is alive, in the ways that need a search of all memory.
enum ObjectHolding {
  /// Prints the explanation or the error, and exits.
  static func explain(way: String) -> Never {
    Task { @MainActor in
      do { try await explain(way) } catch { print(error) }
      fflush(nil)
      exit(0)
    }
    dispatchMain()
  }

  @MainActor
  private static func explain(_ way: String) async throws {
    switch way {
    case "variable":
      let screen = EditorScreen()
      ScreenCache.screens.withLock { $0.append(screen) }
      print(Trace.explain(screen))
    case "caller":
      let screen = EditorScreen()
      print(Trace.explain(screen))
      await Task.yield()
      withExtendedLifetime(screen) {}
    case "property-of-caller":
      let window = Window(EditorScreen())
      print(Trace.explain(window.screen))
      await Task.yield()
      withExtendedLifetime(window) {}
    case "thread":
      try await Trace.expectDeallocated(grace: .milliseconds(1)) {
        EditorScreen()
      } after: {
        let isReady = DispatchSemaphore(value: 0)
        $0.edit(isReady)
        isReady.wait()
      }
    case "task":
      let (stream, continuation) = AsyncStream.makeStream(of: String.self)
      defer { continuation.finish() }
      try await Trace.expectDeallocated(grace: .milliseconds(1)) {
        FeedModel()
      } after: {
        $0.follow(stream)
        await Task.yield()
      }
    case "timer":
      try await Trace.expectDeallocated(grace: .milliseconds(1)) {
        ClockFace()
      } after: {
        $0.start()
      }
    case "variable-of-test":
      var kept: EditorScreen?
      defer { withExtendedLifetime(kept) {} }
      try await Trace.expectDeallocated(grace: .milliseconds(1)) {
        EditorScreen()
      } after: {
        kept = $0
      }
    case "blocking-variable-of-test": try checkVariable()
    case "pending-block":
      let queue = DispatchQueue(label: "editor.work")
      // A suspended queue must not be deallocated.
      _ = Unmanaged.passRetained(queue)
      queue.suspend()
      try await Trace.expectDeallocated(grace: .milliseconds(1)) {
        EditorScreen()
      } after: {
        $0.save(on: queue)
      }
    default: print("unknown way \(way)")
    }
  }

  private static func checkVariable() throws {
    var kept: EditorScreen?
    defer { withExtendedLifetime(kept) {} }
    try Trace.expectDeallocated(grace: .milliseconds(1)) {
      let screen = EditorScreen()
      kept = screen
      return screen
    }
  }
}
