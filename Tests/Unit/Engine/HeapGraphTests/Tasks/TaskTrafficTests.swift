#if os(Linux)
  @testable import ProcessMemory
  import SystemLibrary
  import Synchronization
  import TestSupport
  import Testing

  @testable import HeapGraph

  /// Tasks that start and end all the time, so that their memory is reused while it is searched.
  private final class TaskTraffic: Sendable {
    private actor Counter {
      private var count = 0
      func increase() { count += 1 }
    }

    private let isStopped = Atomic(false)
    private let counters = (0..<4).map { _ in Counter() }

    func stop() { isStopped.store(true, ordering: .relaxed) }

    /// Makes tasks of all kinds until it is stopped. A lane has one request at a time.
    func run(lanes: Int) async {
      await withTaskGroup(of: Void.self) { group in
        for lane in 0..<lanes {
          group.addTask(name: "traffic lane \(lane)") { await self.run(lane) }
        }
      }
    }

    private func run(_ lane: Int) async {
      let counter = counters[lane % counters.count]
      var number = 0
      while !isStopped.load(ordering: .relaxed) {
        number += 1
        let request = Task(name: "traffic request \(lane) \(number)") { [number] in
          await counter.increase()
          await Task.yield()
          return number
        }
        _ = await request.value
        async let first: Void = counter.increase()
        async let second: Void = counters[0].increase()
        _ = await (first, second)
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<3 {
            group.addTask(name: "traffic child \(lane)") { await counter.increase() }
          }
        }
      }
    }
  }

  @Suite(
    "Task censuses during traffic",
    .enabled(if: !isSanitized, "searching the memory of all tests takes minutes"))
  struct TaskTrafficTests {
    private func census() throws -> [TaskRecord] {
      try TaskCensus.ofThisProcess(deadline: LogClock.monotonic() + 60_000_000_000).tasks
    }

    @Test("Each census has only tasks that exist, and each once, while tasks start and end")
    func traffic() async throws {
      let traffic = TaskTraffic()
      let lanes = 8
      async let running: Void = traffic.run(lanes: lanes)
      var seen: Set<UInt64> = []
      var hasStarted = false
      let rounds = TestLength.isLong ? 10_000 : 10
      var missing = 0
      for _ in 0..<rounds {
        let tasks = try census()
        #expect(Set(tasks.map(\.number)).count == tasks.count)
        var requests: [Substring: Int] = [:]
        var lanesFound: Set<Substring> = []
        for task in tasks {
          guard let name = task.name, name.hasPrefix("traffic ") else { continue }
          let words = name.split(separator: " ")
          #expect(words.count == (words[1] == "request" ? 4 : 3), "\(name)")
          switch words[1] {
          case "request":
            requests[words[2], default: 0] += 1
            #expect(task.parent == nil)
            seen.insert(task.number)
          case "child": #expect(Int(words[2]).map { $0 < lanes } == true, "\(name)")
          case "lane": lanesFound.insert(words[2])
          default: Issue.record("\(name)")
          }
        }
        // A task that moves on all the time is rarely missing.
        hasStarted = hasStarted || lanesFound.count == lanes
        if hasStarted { missing += lanes - lanesFound.count }
        // The runtime resumes whoever waits for a task before it marks the task as complete.
        #expect(requests.values.allSatisfy { $0 <= 2 }, "\(requests)")
        await Task.yield()
      }
      traffic.stop()
      await running
      #expect(!seen.isEmpty)
      #expect(missing * 20 <= rounds * lanes)
      let rest = try census()
      #expect(rest.allSatisfy { $0.name?.hasPrefix("traffic") != true })
    }

    @Test("Censuses at the same time don't find the copies that the others read")
    func concurrent() async throws {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<4 {
          group.addTask(name: "concurrent census \(number)") {
            for _ in 0..<(TestLength.isLong ? 1000 : 3) {
              let tasks = try census()
              #expect(Set(tasks.map(\.number)).count == tasks.count)
            }
          }
        }
        try await group.waitForAll()
      }
    }
  }
#endif
