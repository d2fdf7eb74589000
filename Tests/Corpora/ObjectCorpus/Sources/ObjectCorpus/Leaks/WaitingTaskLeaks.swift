import Dispatch

extension ObjectCase {
  /// Tasks that wait for something that only their own objects can end, in the forms that programs
  /// have. libdispatch and idle threads still have the addresses of the tasks in old words.
  static var waitingTaskLeaks: [ObjectCase] {
    [
      .leak("loop-of-stream", .cycle(through: [], leaked: ["StreamLoop": 1])) {
        StreamLoop().start()
        StreamLoop.isWaiting.wait()
      },
      .leak("loops-of-streams", .cycle(through: [], leaked: ["StreamLoop": 100], times: 100)) {
        for _ in 0..<100 { StreamLoop().start() }
        for _ in 0..<100 { StreamLoop.isWaiting.wait() }
      },
      .leak("loops-of-ended-threads", .cycle(through: [], leaked: ["StreamLoop": 20], times: 20)) {
        EndedThreads.run(20) { StreamLoop().start() }
        for _ in 0..<20 { StreamLoop.isWaiting.wait() }
      },
      // Canceling the task doesn't end its wait.
      .leak(
        "task-in-its-continuation",
        .cycle(through: ["Turnstile.waiting"], leaked: ["Turnstile": 1])
          .advising("Resume the continuation that the Task waits for")
      ) {
        Turnstile().start()
        Turnstile.isWaiting.wait()
      },
      .leak("task-with-dropped-continuation", .cycle(through: [], leaked: ["Idler": 1])) {
        Idler().start()
        Idler.isWaiting.wait()
      },
      .leak("loop-of-throwing-stream", .cycle(through: [], leaked: ["ThrowingLoop": 1])) {
        ThrowingLoop().start()
        ThrowingLoop.isWaiting.wait()
      },
      .leak("loop-of-detached-task", .cycle(through: [], leaked: ["StreamLoop": 1])) {
        let loop = StreamLoop()
        Task.detached(priority: .background) { await loop.run() }
        StreamLoop.isWaiting.wait()
      },
      .leak("loop-of-own-sequence", .cycle(through: [], leaked: ["Mails": 1, "Reader": 1])) {
        Reader().start()
        Mails.isWaiting.wait()
      },
      .leak("loop-in-actor", .cycle(through: [], leaked: ["LoopActor": 1])) {
        let actor = LoopActor()
        Task { await actor.run() }
        LoopActor.isWaiting.wait()
      },
      .leak("loop-in-deep-calls", .cycle(through: [], leaked: ["Diver": 1])) {
        let diver = Diver()
        Task { await diver.dive(50) }
        Diver.isWaiting.wait()
      },
      .leak("group-with-waiting-child", .cycle(through: [], leaked: ["Team": 1])) {
        Team().start()
        Team.isWaiting.wait()
      },
      .leak("discarding-group-with-waiting-child", .cycle(through: [], leaked: ["Team": 1])) {
        Team().startDiscarding()
        Team.isWaiting.wait()
      },
      .leak("async-let-of-loop", .cycle(through: [], leaked: ["Team": 1])) {
        Team().startPair()
        Team.isWaiting.wait()
      },
      .leak("loop-with-cancellation-handler", .cycle(through: [], leaked: ["Door": 1])) {
        Door().start()
        Door.isWaiting.wait()
      },
      .leak(
        "task-awaits-leaked-task",
        .cycle(through: [], leaked: ["Follower": 1, "StreamLoop": 1])
      ) {
        let loop = StreamLoop()
        let task = Task { await loop.run() }
        StreamLoop.isWaiting.wait()
        Follower().follow(task)
        Follower.isWaiting.wait()
      },
      .leak("task-of-property-awaits-values", .cycle(through: [], leaked: ["Owner": 1])) {
        Owner().start()
        Owner.isWaiting.wait()
      },
    ]
  }
}

private final class StreamLoop: @unchecked Sendable {
  static let isWaiting = DispatchSemaphore(value: 0)
  private let values: AsyncStream<Int>
  private let input: AsyncStream<Int>.Continuation
  private var sum = 0

  init() {
    (values, input) = AsyncStream.makeStream()
    Life.begin(self, "StreamLoop")
  }
  deinit { Life.end("StreamLoop") }

  func start() {
    Task { await run() }
  }

  func run() async {
    Self.isWaiting.signal()
    for await value in values { sum += value }
  }
}

private final class Idler: @unchecked Sendable {
  static let isWaiting = DispatchSemaphore(value: 0)
  private var count = 0

  init() { Life.begin(self, "Idler") }
  deinit { Life.end("Idler") }

  func start() {
    Task {
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in
        Self.isWaiting.signal()
      }
      self.count += 1
    }
  }
}

private final class ThrowingLoop: @unchecked Sendable {
  static let isWaiting = DispatchSemaphore(value: 0)
  private let values: AsyncThrowingStream<String, any Error>
  private let input: AsyncThrowingStream<String, any Error>.Continuation
  private var texts: [String] = []

  init() {
    (values, input) = AsyncThrowingStream.makeStream()
    Life.begin(self, "ThrowingLoop")
  }
  deinit { Life.end("ThrowingLoop") }

  func start() {
    Task {
      Self.isWaiting.signal()
      do {
        for try await value in values { self.texts.append(value) }
      } catch {
        self.texts.append("\(error)")
      }
    }
  }
}

/// A sequence whose iterator waits for the next element with a continuation.
private final class Mails: AsyncSequence, @unchecked Sendable {
  typealias Element = Int
  static let isWaiting = DispatchSemaphore(value: 0)
  private var waiter: CheckedContinuation<Int?, Never>?

  init() { Life.begin(self, "Mails") }
  deinit { Life.end("Mails") }

  struct AsyncIterator: AsyncIteratorProtocol {
    let mails: Mails

    func next() async -> Int? { await mails.next() }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(mails: self) }

  private func next() async -> Int? {
    await withCheckedContinuation {
      waiter = $0
      Self.isWaiting.signal()
    }
  }
}

private final class Reader: @unchecked Sendable {
  private let mails = Mails()
  private var count = 0

  init() { Life.begin(self, "Reader") }
  deinit { Life.end("Reader") }

  func start() {
    Task { for await mail in mails { self.count += mail } }
  }
}

private actor LoopActor {
  static let isWaiting = DispatchSemaphore(value: 0)
  private let values: AsyncStream<Int>
  private let input: AsyncStream<Int>.Continuation
  private var sum = 0

  init() {
    (values, input) = AsyncStream.makeStream()
    Life.begin(self, "LoopActor")
  }
  deinit { Life.end("LoopActor") }

  func run() async {
    Self.isWaiting.signal()
    for await value in values { sum += value }
  }
}

private final class Diver: @unchecked Sendable {
  static let isWaiting = DispatchSemaphore(value: 0)
  private var continuation: CheckedContinuation<Int, Never>?
  private var depth = 0

  init() { Life.begin(self, "Diver") }
  deinit { Life.end("Diver") }

  func dive(_ levels: Int) async {
    guard levels == 0 else {
      await dive(levels - 1)
      depth += 1
      return
    }
    depth += await withCheckedContinuation {
      continuation = $0
      Self.isWaiting.signal()
    }
  }
}

private final class Team: @unchecked Sendable {
  static let isWaiting = DispatchSemaphore(value: 0)
  private var continuation: CheckedContinuation<Int, Never>?
  private var work = 0

  init() { Life.begin(self, "Team") }
  deinit { Life.end("Team") }

  func start() {
    Task {
      await withTaskGroup(of: Int.self) { group in
        group.addTask { 1 }
        group.addTask { await self.wait() }
        for await part in group { self.work += part }
      }
    }
  }

  func startDiscarding() {
    Task {
      await withDiscardingTaskGroup { group in
        group.addTask { _ = await self.wait() }
      }
      self.work += 1
    }
  }

  func startPair() {
    Task {
      async let one = wait()
      async let other = 2
      self.work += await one + other
    }
  }

  private func wait() async -> Int {
    await withCheckedContinuation {
      continuation = $0
      Self.isWaiting.signal()
    }
  }
}

private final class Door: @unchecked Sendable {
  static let isWaiting = DispatchSemaphore(value: 0)
  private var continuation: CheckedContinuation<Void, Never>?
  private var isOpen = false

  init() { Life.begin(self, "Door") }
  deinit { Life.end("Door") }

  func start() {
    Task {
      await withTaskCancellationHandler {
        await withCheckedContinuation {
          self.continuation = $0
          Self.isWaiting.signal()
        }
        self.isOpen = true
      } onCancel: {
        self.continuation?.resume()
      }
    }
  }
}

private final class Follower: @unchecked Sendable {
  static let isWaiting = DispatchSemaphore(value: 0)
  private var isDone = false

  init() { Life.begin(self, "Follower") }
  deinit { Life.end("Follower") }

  func follow(_ other: Task<Void, Never>) {
    Task {
      Self.isWaiting.signal()
      await other.value
      self.isDone = true
    }
  }
}

private final class Owner: @unchecked Sendable {
  static let isWaiting = DispatchSemaphore(value: 0)
  private let values: AsyncStream<[String]>
  private let input: AsyncStream<[String]>.Continuation
  private var task: Task<Void, Never>?
  private var texts: [String] = []

  init() {
    (values, input) = AsyncStream.makeStream()
    Life.begin(self, "Owner")
  }

  deinit {
    task?.cancel()
    Life.end("Owner")
  }

  func start() {
    task = Task {
      Self.isWaiting.signal()
      for await value in values { self.texts += value }
    }
  }
}

private final class Turnstile: @unchecked Sendable {
  static let isWaiting = DispatchSemaphore(value: 0)
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private var passages = 0

  init() { Life.begin(self, "Turnstile") }
  deinit { Life.end("Turnstile") }

  func start() {
    Task {
      await withCheckedContinuation { continuation in
        waiting.append(continuation)
        Turnstile.isWaiting.signal()
      }
      passages += 1
    }
  }
}
