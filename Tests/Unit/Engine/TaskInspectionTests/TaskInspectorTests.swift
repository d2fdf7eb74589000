#if os(Linux)
  import TestSupport
  import Testing

  @testable import TaskInspection

  @Suite(
    "Tasks of this process",
    .enabled(if: !isSanitized, "searching the memory of all tests takes minutes"))
  struct TaskInspectorTests {
    /// Lists the tasks until a condition is met, by the rest of their names after `prefix`.
    private func tasks(
      _ prefix: String, until isDone: ([String: RunningTask]) -> Bool
    ) async throws -> [String: RunningTask] {
      var found: [String: RunningTask] = [:]
      for _ in 0..<200 {
        found = [:]
        for task in try TaskInspector.tasks(limit: .seconds(60)) {
          guard let name = task.name, name.hasPrefix(prefix) else { continue }
          found[String(name.dropFirst(prefix.count))] = task
        }
        if isDone(found) { break }
        await Task.yield()
      }
      return found
    }

    @Test("A task has its name, its state, what it waits for, and its functions with lines")
    func waiting() async throws {
      let (stream, gate) = AsyncStream<Void>.makeStream()
      let first = Task(name: "inspect.first", priority: .high) { await park(stream) }
      let second = Task(name: "inspect.second") { await first.value }
      second.cancel()
      let found = try await tasks("inspect.") { tasks in
        tasks.count == 2
          && tasks.values.allSatisfy { $0.state != .enqueued && $0.state != .running }
      }
      let one = try #require(found["first"])
      let two = try #require(found["second"])
      #expect(one.state == .waiting(.continuation) && !one.isCancelled)
      #expect(one.priority == .high && one.parent == nil && one.children.isEmpty)
      #expect(two.state == .waiting(.task(one.id)) && two.isCancelled)
      let frames = one.callStack.filter { !$0.isOfSystem }
      #expect(frames.first?.function?.hasPrefix("park(_:)") == true, "\(frames)")
      #expect(
        frames.first?.source?.hasPrefix("TaskInspectionTests/TaskInspectorTests.swift:") == true)
      #expect(two.description.contains("canceled, waits for task #\(one.id)"))
      gate.finish()
      await second.value
    }

    @Test("Tasks without a name are in each list")
    func nameless() async throws {
      let (stream, gate) = AsyncStream<Void>.makeStream()
      let named = Task(name: "inspect.nameless parent") {
        async let child: Void = park(stream)
        await child
      }
      for _ in 0..<2 {
        let found = try await tasks("inspect.nameless ") { $0["parent"]?.children.count == 1 }
        let number = try #require(found["parent"]?.children.first)
        let child = try TaskInspector.tasks(limit: .seconds(60)).first { $0.id == number }
        #expect(child?.name == nil && child?.parent == found["parent"]?.id)
        #expect(child != nil)
      }
      gate.finish()
      await named.value
    }

    @Test("The children of a group and of async let have their parent")
    func children() async throws {
      let (stream, gate) = AsyncStream<Void>.makeStream()
      let parent = Task(name: "family.parent") {
        await withTaskGroup(of: Void.self) { group in
          group.addTask(name: "family.child") { await park(stream) }
          async let other: Void = Task(name: "family.other") { await park(stream) }.value
          await group.waitForAll()
          await other
        }
      }
      let found = try await tasks("family.") { tasks in
        tasks.count == 3 && tasks["parent"]?.children.count == 2
      }
      #expect(found["child"]?.parent == found["parent"]?.id)
      #expect(found["other"]?.parent == nil)
      gate.finish()
      await parent.value
    }

    @Test("A task that has ended isn't listed, and neither is the one for the check")
    func ended() async throws {
      let task = Task(name: "over.task") { 1 }
      #expect(await task.value == 1)
      let found = try await tasks("over.") { $0.isEmpty }
      #expect(found.isEmpty)
      let names = try TaskInspector.tasks(limit: .seconds(60)).compactMap(\.name)
      #expect(!names.contains { $0.hasPrefix("TaskInspection canary") })
      #expect(Canary.verified)
      withExtendedLifetime(task) {}
    }

    @Test("Without time, listing throws an error that says so")
    func noTime() {
      let error = #expect(throws: TaskInspectionError.self) {
        try TaskInspector.tasks(limit: .zero)
      }
      #expect(error?.reason == .timedOut)
      #expect(error?.description.contains("limit") == true)
    }
  }

  private func park(_ stream: AsyncStream<Void>) async {
    for await _ in stream {}
  }
#endif
