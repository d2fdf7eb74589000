import ReactiveKit
import TestSupport
import Testing

@testable import ReactiveTrace

extension ProcessLogTests {
  @Suite("Trace.task", .ownThread)
  struct TaskLaneTests {
    private struct Broken: Error {}

    @Test("A traced task records its start and how it ended")
    func ends() async throws {
      let log = try ProcessLog()
      #expect(await Trace.task("done") { 3 }.value == 3)
      _ = try? await Trace.task("broken") { throw Broken() }.value
      _ = try? await Trace.task("canceled") { throw CancellationError() }.value
      #expect(
        log.story == [
          "1 subscribe", "1 completed", "2 subscribe", "2 failed Broken()", "3 subscribe",
          "3 disposed",
        ])
      let first = try #require(log.records.first)
      #expect(first.operator == .task)
      #expect(first.lane == "done")
      #expect(first.source?.hasPrefix("ReactiveTraceTests/TaskLaneTests.swift:") == true)
    }

    @Test("A traced task that returns although it was canceled is recorded as disposed")
    func canceled() async throws {
      let log = try ProcessLog()
      let task = Trace.task("late") {
        while !Task.isCancelled { await Task.yield() }
      }
      task.cancel()
      await task.value
      #expect(log.story == ["1 subscribe", "1 disposed"])
    }

    @Test("A traced task that another one starts is its child, also through a group")
    func children() async throws {
      let log = try ProcessLog()
      await Trace.task("outer") {
        await Trace.task("inner") {}.value
        await withTaskGroup(of: Void.self) { group in
          group.addTask { await Trace.task("in a group") {}.value }
        }
      }.value
      await Trace.task("alone") {}.value
      let begun = log.records.filter { $0.event == .subscribe }
      #expect(begun.map(\.lane) == ["outer", "inner", "in a group", "alone"])
      #expect(begun.map(\.parent) == [nil, 1, 1, nil])
    }

    @Test("A traced task has the name and the actor of its closure")
    func context() async throws {
      let log = try ProcessLog()
      let isOnMainActor = await Trace.task("main") { @MainActor in
        MainActor.assertIsolated()
        return true
      }.value
      #expect(isOnMainActor)
      #expect(await Trace.task("named") { Task.name }.value == "named")
      #expect(log.story.count == 4)
    }

    @Test("A traced task that hasn't ended isn't a leaked subscription")
    func leaks() async throws {
      let log = try ProcessLog()
      let (elements, end) = AsyncStream<Void>.makeStream()
      let task = Trace.task("sleeper") { for await _ in elements {} }
      let alive = try #require(Recorder.current).liveSubscriptions.all
      #expect(alive.count == 1)
      #expect(LeakVerdict(alive).leaks.isEmpty)
      task.cancel()
      await task.value
      end.finish()
      #expect(log.story == ["1 subscribe", "1 disposed"])
    }
  }

  @Suite("Trace.tasks", .ownThread)
  struct TaskListTests {
    @Test(
      "The list has a task with its name and what keeps it alive",
      .enabled(if: !isSanitized, "searching the memory of all tests takes minutes"))
    func list() async throws {
      #if os(Linux)
        let slot = ContinuationSlot()
        let task = Task(name: "listed") { await slot.wait() }
        await slot.isFull()
        let found = try Trace.tasks(explaining: true, limit: .seconds(60)).first {
          $0.name == "listed"
        }
        let listed = try #require(found)
        #expect(!listed.isCancelled)
        #expect(listed.description.contains("listed"))
        slot.resume()
        await task.value
        #expect(try !Trace.tasks(limit: .seconds(60)).contains { $0.id == listed.id })
      #else
        #expect(throws: TaskInspectionError.self) { try Trace.tasks() }
      #endif
    }
  }
}

/// A continuation that a test resumes.
private final class ContinuationSlot: Sendable {
  private let stored = Locked<UnsafeContinuation<Void, Never>?>(nil)

  func wait() async {
    await withUnsafeContinuation { continuation in stored.withLock { $0 = continuation } }
  }

  func isFull() async {
    while stored.withLock({ $0 == nil }) { await Task.yield() }
  }

  func resume() { stored.withLock { $0 }?.resume() }
}
