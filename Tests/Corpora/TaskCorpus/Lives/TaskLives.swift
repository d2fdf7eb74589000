import CRuntime.OwnProcess
import Dispatch
import Foundation
import ReactiveTrace
import Synchronization
import SystemLibrary

/// Small programs that make tasks of all kinds, whose lives `REACTIVE_TRACE_TASKS` records. The
/// tests of the recorder compare the log with what each program does.
///
///     TaskCorpus lives NAME [COUNT]
enum TaskLives {
  /// Runs a program. Its tasks have ended when this returns, except for the main task.
  static func run(_ name: String, count: Int) async -> Bool {
    switch name {
    case "tasks": await tasks()
    case "groups": await groups()
    case "children": await children()
    case "actors": await actors()
    case "continuations": await continuations()
    case "sleeps": await sleeps()
    case "streams": await streams()
    case "canceled": await canceled()
    case "immediate": await immediate()
    case "executors": await executors()
    case "traced": await traced()
    case "locals": await locals()
    case "many": await many(count)
    case "racing": await racing(count)
    case "fork": await fork()
    case "exit": await exitDuringTraffic()
    case "sink": await sink()
    case "hooks": print(trace_has_task_hooks() ? "changed" : "unchanged")
    default: return false
    }
    return true
  }

  private static func tasks() async {
    let first = Task(name: "named") { 1 }
    _ = await first.value
    let second = Task { 2 }
    _ = await second.value
    let third = Task.detached(name: "detached", priority: .low) { throw CancellationError() }
    _ = try? await third.value
    // On one actor, so that the inner task doesn't end before the outer one waits for it.
    let outer = Task(name: "outer") { @MainActor in
      await Task(name: "inner") { @MainActor in 3 }.value
    }
    _ = await outer.value
  }

  private static func groups() async {
    await withTaskGroup(of: Int.self) { group in
      for number in 0..<10 { group.addTask(name: "group") { number } }
      var sum = 0
      for await number in group { sum += number }
    }
    await withDiscardingTaskGroup { group in
      for _ in 0..<10 { group.addTask(name: "discarding") { await Task.yield() } }
    }
    try? await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask(name: "failing") { throw CancellationError() }
      try await group.waitForAll()
    }
    await withTaskGroup(of: Void.self) { group in
      group.cancelAll()
      let isAdded = group.addTaskUnlessCancelled(name: "never") {}
      precondition(!isAdded)
      group.addTask(name: "canceled child") {}
    }
  }

  private static func number(_ number: Int) async -> Int {
    await Task.yield()
    return number
  }

  private static func children() async {
    async let first = number(1)
    async let second = number(2)
    _ = await (first, second)
    // A child that nobody awaits is canceled and awaited at the end of its scope.
    async let _ = number(3)
  }

  private actor Counter {
    var count = 0
    func add() { count += 1 }
    func addFromTask() -> Task<Void, Never> { Task(name: "on the actor") { count += 1 } }
    func add(afterYield: Void) async {
      await Task.yield()
      count += 1
    }
  }

  private static func actors() async {
    let counter = Counter()
    let tasks = (0..<10).map { _ in
      Task(name: "caller") {
        await counter.add()
        await counter.add(afterYield: ())
      }
    }
    for task in tasks { await task.value }
    await counter.addFromTask().value
    let count = await counter.count
    precondition(count == 21)
    await Task(name: "main actor") { @MainActor in MainActor.assertIsolated() }.value
  }

  private static func continuations() async {
    await Task(name: "resumed later") {
      await withCheckedContinuation { continuation in
        DispatchQueue.global().async { continuation.resume() }
      }
    }.value
    await Task(name: "resumed immediately") {
      await withUnsafeContinuation { $0.resume() }
    }.value
    await Task(name: "throwing") {
      try? await withCheckedThrowingContinuation {
        (continuation: CheckedContinuation<Void, any Error>) in
        DispatchQueue.global().async { continuation.resume(throwing: CancellationError()) }
      }
    }.value
  }

  private static func sleeps() async {
    await Task(name: "sleeping") { try? await Task.sleep(for: .milliseconds(20)) }.value
    let canceled = Task(name: "canceled while sleeping") {
      try? await Task.sleep(for: .seconds(100))
    }
    canceled.cancel()
    await canceled.value
  }

  private static func streams() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    let reader = Task(name: "reader") {
      var sum = 0
      for await number in stream { sum += number }
      return sum
    }
    await Task(name: "writer") {
      for number in 0..<10 {
        continuation.yield(number)
        await Task.yield()
      }
      continuation.finish()
    }.value
    _ = await reader.value
  }

  // On one actor, so that a task can't begin before it is canceled.
  @MainActor
  private static func canceled() async {
    let task = Task(name: "canceled") {
      while !Task.isCancelled { await Task.yield() }
    }
    task.cancel()
    await task.value
    let other = Task(name: "canceled early") {}
    other.cancel()
    await other.value
  }

  private static func immediate() async {
    if #available(macOS 26, iOS 26, *) {
      await Task.immediate(name: "immediate") { await Task.yield() }.value
      await Task.immediate(name: "immediate and done") {}.value
    }
  }

  private final class Queue: TaskExecutor, SerialExecutor {
    let queue = DispatchQueue(label: "executor")

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }

  private actor Custom {
    static let queue = SerialQueue()
    nonisolated var unownedExecutor: UnownedSerialExecutor { Self.queue.asUnownedSerialExecutor() }
    var count = 0
    func add() { count += 1 }
  }

  private final class SerialQueue: SerialExecutor {
    let queue = DispatchQueue(label: "serial executor")

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
  }

  private static func executors() async {
    let executor = Queue()
    await Task(name: "preference", executorPreference: executor) { await Task.yield() }.value
    await withTaskExecutorPreference(executor) {
      async let child = number(1)
      _ = await child
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<5 { group.addTask(name: "in a group") { await Task.yield() } }
      }
    }
    let custom = Custom()
    await Task(name: "custom actor") { await custom.add() }.value
  }

  private static func traced() async {
    await Trace.task("lane") {
      await Task.yield()
      await Task(name: "below the lane") {}.value
    }.value
    _ = try? await Trace.task("failing lane") { throw CocoaError(.fileNoSuchFile) }.value
  }

  @TaskLocal private static var local = 0

  private static func locals() async {
    await $local.withValue(1) {
      await Task(name: "with a local") {
        await $local.withValue(2) {
          await Task.yield()
          precondition(local == 2)
        }
        precondition(local == 1)
      }.value
    }
    await withTaskCancellationHandler {
      await Task(name: "with a handler") { await Task.yield() }.value
    } onCancel: {
    }
  }

  private static let sum = Atomic<Int>(0)
  private static let isDone = Atomic<Bool>(false)

  /// Starts short tasks from eight tasks at the same time.
  private static func many(_ count: Int) async {
    await withTaskGroup(of: Void.self) { group in
      for lane in 0..<8 {
        group.addTask(name: "lane \(lane)") {
          for _ in 0..<count / 8 {
            await Task(name: "short \(lane)") { _ = sum.wrappingAdd(1, ordering: .relaxed) }.value
          }
        }
      }
    }
    precondition(sum.load(ordering: .relaxed) == count / 8 * 8)
  }

  /// Cancels, resumes and awaits tasks from several tasks at the same time.
  private static func racing(_ count: Int) async {
    let counter = Counter()
    for _ in 0..<count {
      await withTaskGroup(of: Void.self) { group in
        let shared = Task(name: "racing.shared") {
          await counter.add()
          try? await Task.sleep(for: .microseconds(50))
        }
        for _ in 0..<4 { group.addTask(name: "racing.waiting") { await shared.value } }
        group.addTask(name: "racing.canceling") { shared.cancel() }
        group.addTask(name: "racing.continuation") {
          await withUnsafeContinuation { continuation in
            DispatchQueue.global().async { continuation.resume() }
          }
        }
        await group.waitForAll()
      }
    }
  }

  private static let counts = BlockingMutex<[String: Int]>([:])

  /// Sends the records to the program's own code, which makes tasks itself. Prints how many records
  /// of each kind it got.
  private static func sink() async {
    let memory = Trace.MemorySink()
    try? Trace.start(
      to: [
        .memory(memory),
        .custom { record in
          Task(name: "of the sink") {}
          guard record.lane == "seen" else { return }
          counts.withLock { $0[record.event.rawValue, default: 0] += 1 }
        },
      ])
    for _ in 0..<100 { await Task(name: "seen") { await Task.yield() }.value }
    Trace.mark("done")
    Trace.stop()
    for (event, count) in counts.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
      print(event, count)
    }
    print("of the sink", memory.records.filter { $0.lane == "of the sink" }.count)
  }

  private static func fork() async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask(name: "busy") {
        while !isDone.load(ordering: .relaxed) { await Task(name: "short") {}.value }
      }
      group.addTask(name: "forking") {
        for _ in 0..<20 {
          let child = ForkedChild.start()
          ForkedChild.wait(for: child)
          await Task.yield()
        }
        isDone.store(true, ordering: .relaxed)
      }
    }
  }

  private static func exitDuringTraffic() async {
    for lane in 0..<4 {
      Task.detached(name: "busy \(lane)") {
        while true { await Task(name: "short") {}.value }
      }
    }
    while true {
      for _ in 0..<1000 { await Task.yield() }
      exit(0)
    }
  }
}
