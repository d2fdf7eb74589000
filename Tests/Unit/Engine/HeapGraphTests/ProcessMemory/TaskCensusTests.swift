#if os(Linux)
  @testable import ProcessMemory
  import CodeLocations
  import SystemLibrary
  import ReactiveKit
  import SwiftRuntime
  import TestSupport
  import Testing

  @testable import HeapGraph

  @Suite(
    "Census of tasks",
    .enabled(if: !isSanitized, "searching the memory of all tests takes minutes"))
  struct TaskCensusTests {
    private static func census() throws -> TaskCensus {
      try TaskCensus.ofThisProcess(deadline: LogClock.monotonic() + 10_000_000_000)
    }

    /// Repeats a census of this process until the tasks whose names begin with `prefix` satisfy a
    /// condition. Returns them by the rest of their names.
    private static func tasks(
      _ prefix: String, until isDone: ([String: TaskRecord]) -> Bool
    ) async throws -> [String: TaskRecord] {
      var tasks: [String: TaskRecord] = [:]
      for _ in 0..<1000 {
        tasks = [:]
        for task in try census().tasks {
          guard let name = task.name, name.hasPrefix(prefix) else { continue }
          tasks[String(name.dropFirst(prefix.count))] = task
        }
        if isDone(tasks) { return tasks }
        await Task.yield()
      }
      return tasks
    }

    @Test("A task census finds what each task waits for")
    func waits() async throws {
      let park = Park()
      let first = Task(name: "waits.continuation") { await park.wait() }
      let second = Task(name: "waits.task") { await first.value }
      let third = Task(name: "waits.group") {
        await withTaskGroup(of: Void.self) { group in
          group.addTask(name: "waits.child") { await park.wait() }
          await group.waitForAll()
        }
      }
      let fourth = Task(name: "waits.let") {
        async let value: Void = park.wait()
        await value
      }
      let names = ["continuation", "task", "group", "child", "let"]
      let tasks = try await Self.tasks("waits.") { tasks in
        names.allSatisfy { tasks[$0]?.wait != nil }
      }
      let continuation = try #require(tasks["continuation"])
      guard case .continuation = continuation.wait else {
        Issue.record("\(String(describing: continuation.wait))")
        return
      }
      #expect(tasks["task"]?.wait == .task(continuation.address))
      guard case .group = tasks["group"]?.wait, case .continuation = tasks["child"]?.wait else {
        Issue.record("\(tasks)")
        return
      }
      #expect(tasks["child"]?.parent == tasks["group"]?.address)
      #expect(continuation.parent == nil)
      let all = try Self.census().tasks
      let parent = try #require(tasks["let"])
      let child = try #require(all.first { $0.parent == parent.address })
      #expect(parent.wait == .task(child.address))
      #expect(Set(tasks.values.map(\.number)).count == names.count)
      #expect(continuation.number < tasks["task"]?.number ?? 0)
      for task in tasks.values {
        #expect(task.code.count >= 2)
        #expect(!task.status.isRunning && !task.status.isComplete && !task.status.isCancelled)
      }
      park.open()
      _ = await (first.value, second.value, third.value, fourth.value)
    }

    @Test("A task census shows canceled tasks, and omits tasks that have ended")
    func ends() async throws {
      let park = Park()
      let canceled = Task(name: "ends.canceled") { await park.wait() }
      let ended = Task(name: "ends.ended") { 3 }
      canceled.cancel()
      #expect(await ended.value == 3)
      let tasks = try await Self.tasks("ends.") { $0["canceled"]?.wait != nil }
      #expect(tasks.keys.sorted() == ["canceled"])
      #expect(tasks["canceled"]?.status.isCancelled == true)
      park.open()
      await canceled.value
      let after = try await Self.tasks("ends.") { $0.isEmpty }
      #expect(after.isEmpty)
      withExtendedLifetime((canceled, ended)) {}
    }

    @Test("A task census finds the running task, with its number and name")
    func running() async throws {
      let task = Task(name: "running.self") { try Self.census().tasks }
      let tasks = try await task.value
      let found = tasks.filter { $0.name == "running.self" }
      #expect(found.count == 1)
      #expect(found.first?.status.isRunning == true)
      #expect(found.first?.wait == nil)
    }

    @Test(
      "A task census rejects an unknown version or size of the runtime's layouts",
      arguments: [0, 1, 2])
    func versions(version: UInt32) throws {
      let own = try #require(TaskCensus.Runtime.own)
      let memory = try #require(ProcessMemory())
      let map = try #require(MemoryMap())
      for size in [own.taskSize, own.taskSize + 16] where size != own.taskSize || version != 1 {
        let runtime = TaskCensus.Runtime(metadata: own.metadata, version: version, taskSize: size)
        #expect(throws: TaskCensus.Refusal.unknownLayout(version: version, taskSize: size)) {
          try TaskCensus(memory, map, runtime, deadline: .max)
        }
      }
    }

    @Test("A task census that runs out of time is incomplete")
    func noTime() throws {
      let census = try TaskCensus.ofThisProcess(deadline: 0)
      #expect(!census.isComplete && census.tasks.isEmpty)
    }
  }

  @Suite(
    "Census of another process's tasks", .ownThread,
    .enabled(if: !isSanitized, "reading the names of a sanitized program takes seconds"))
  struct ForeignTaskCensusTests {
    private static let program = BuiltProgram.path(of: "TraceWriterHelper")

    /// Repeats a census of a process until it finds the tasks that `isDone` waits for.
    private static func census(
      of process: Int32, until isDone: ([TaskRecord]) -> Bool
    ) throws -> [TaskRecord] {
      var tasks: [TaskRecord] = []
      for _ in 0..<2000 {
        let deadline = LogClock.monotonic() + 10_000_000_000
        tasks = try TaskCensus.ofProcess(process, deadline: deadline).tasks
        if isDone(tasks) { break }
        LogClock.yield()
      }
      return tasks
    }

    @Test("A task census of another process finds its tasks with functions and lines")
    func child() throws {
      try ChildProcess(Self.program, ["parked"]).inspect(afterBytes: 8) { process in
        let tasks = try Self.census(of: process) { tasks in
          tasks.count == 3 && tasks.allSatisfy { $0.wait != nil }
        }
        let checkout = try #require(tasks.first { $0.name == "parked.checkout" })
        let canceled = try #require(tasks.first { $0.name == "parked.canceled" })
        let child = try #require(tasks.first { $0.parent == checkout.address })
        #expect(checkout.wait == .task(child.address))
        #expect(canceled.status.isCancelled && !child.status.isCancelled)
        let map = try #require(MemoryMap(ofProcess: process))
        let files = ProcessFiles(ofProcess: process, map)
        let names = CodeNames(limit: .max, image: { files.image(at: $0) })
        let code = Set(tasks.flatMap(\.code)).sorted()
        #expect(names.lookUp(stacks: [], functions: code))
        let functions = names.knownFunctions(at: code)
        func lines(_ task: TaskRecord) -> [String] {
          task.code.compactMap { functions[$0]?.location }.compactMap { location in
            location.source.map { "\(location.function ?? "") \($0)" }
          }
        }
        let file = "TraceWriterHelper/ParkedTasks.swift"
        #expect(
          lines(checkout) == [
            "static ParkedTasks.checkout() \(file):16",
            "closure #1 in static ParkedTasks.waitForEnd() \(file):7",
          ])
        #expect(
          lines(child) == [
            "static ParkedTasks.answer() \(file):21",
            "implicit closure #1 in static ParkedTasks.checkout() \(file):15",
          ])
        #expect(
          lines(canceled) == [
            "static ParkedTasks.answer() \(file):21",
            "closure #2 in static ParkedTasks.waitForEnd() \(file):8",
          ])
      }
    }

    @Test("A task census throws for a process that doesn't exist or doesn't use Swift concurrency")
    func refused() throws {
      try ChildProcess("/bin/sh", ["-c", "echo ready; read line < /dev/zero"]).inspect(
        afterBytes: 6
      ) { process in
        #expect(throws: TaskCensus.Refusal.noRuntime) {
          try TaskCensus.ofProcess(process, deadline: .max)
        }
      }
      #expect(throws: TaskCensus.Refusal.unreadable) {
        try TaskCensus.ofProcess(.max, deadline: .max)
      }
    }
  }

  /// A place where tasks wait for continuations until it opens.
  private final class Park: Sendable {
    private enum State {
      case closed([UnsafeContinuation<Void, Never>])
      case open
    }

    private let state = Locked(State.closed([]))

    func wait() async {
      await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
        let isOpen = state.withLock { state in
          guard case .closed(let waiting) = state else { return true }
          state = .closed(waiting + [continuation])
          return false
        }
        if isOpen { continuation.resume() }
      }
    }

    func open() {
      let waiting = state.withLock { state -> [UnsafeContinuation<Void, Never>] in
        guard case .closed(let waiting) = state else { return [] }
        state = .open
        return waiting
      }
      for continuation in waiting { continuation.resume() }
    }
  }

  extension TaskCensus {
    /// Searches the memory of another process, which continues to run.
    ///
    /// - Parameter deadline: The end of the search, in nanoseconds of the monotonic clock.
    fileprivate static func ofProcess(_ process: Int32, deadline: Int) throws(Refusal) -> TaskCensus
    {
      guard let map = MemoryMap(ofProcess: process), let first = map.parts.first,
        let memory = ProcessMemory(ofProcess: process, probing: first.start)
      else { throw .unreadable }
      let files = ProcessFiles(ofProcess: process, map)
      guard let runtime = Runtime(files, memory, isInTime: { true }) else { throw .noRuntime }
      return try TaskCensus(memory, map, runtime, deadline: deadline)
    }
  }
#endif
