import Dispatch

extension ObjectCase {
  /// A task waits for something that only its own objects can end. Nothing else has the task,
  /// because the runtime doesn't keep a list of suspended tasks.
  static var taskLeaks: [ObjectCase] {
    [
      .leak(
        "task-lost-continuation",
        .cycle(through: ["Worker.task"], or: ["Worker.continuation"], leaked: ["Worker": 1])
      ) {
        let parked = DispatchSemaphore(value: 0)
        Worker().start(parked)
        parked.wait()
      },
      .leak(
        "task-without-handle", .cycle(through: ["Listener.continuation"], leaked: ["Listener": 1])
      ) {
        let parked = DispatchSemaphore(value: 0)
        Listener().start(parked)
        parked.wait()
      },
      .leak(
        "task-stream-of-self",
        .cycle(through: ["Ticker.values"], or: ["Ticker.input"], [], leaked: ["Ticker": 1])
      ) {
        let started = DispatchSemaphore(value: 0)
        Ticker().start(started)
        started.wait()
      },
      // Without a task: the stream has the closure, and the object has the stream.
      .leak(
        "stream-termination",
        .cycle(
          through: ["Feed.input", "closure.self"], or: ["Feed.values", "closure.self"],
          leaked: ["Feed": 1])
      ) {
        Feed().start()
      },
      .leak(
        "task-awaits-itself", .cycle(through: ["Sleeper.task"], or: [], leaked: ["Sleeper": 1])
      ) {
        let started = DispatchSemaphore(value: 0)
        Sleeper().start(started)
        started.wait()
      },
      .leak(
        "task-async-let", .cycle(through: ["Pool.continuation"], or: [], leaked: ["Pool": 1])
      ) {
        let parked = DispatchSemaphore(value: 0)
        let pool = Pool()
        Task {
          async let child: Void = pool.wait(parked)
          await child
        }
        parked.wait()
      },
      .leak("actor-closure", .cycle(["Cart.onChange", "closure.self"], leaked: ["Cart": 1])) {
        Waiting.run { await Cart().setUp() }
      },
      .leak("actor-waiters", .cycle(through: ["Gate.waiters"], leaked: ["Gate": 1])) {
        let parked = DispatchSemaphore(value: 0)
        let gate = Gate()
        Task { await gate.pass(parked) }
        parked.wait()
      },
      .leak(
        "actor-and-class",
        .cycle(
          ["Room.visitors", "RoomVisitor.room"],
          leaked: ["Room": 1, "RoomVisitor": 2])
      ) {
        Waiting.run {
          let room = Room()
          for _ in 0..<2 { await room.add(RoomVisitor(room)) }
        }
      },
    ]
  }
}

private final class Worker: @unchecked Sendable {
  private var task: Task<Void, Never>?
  private var continuation: CheckedContinuation<Void, Never>?
  private var isDone = false

  init() { Life.begin(self, "Worker") }
  deinit { Life.end("Worker") }

  func start(_ parked: DispatchSemaphore) {
    task = Task {
      await withCheckedContinuation {
        self.continuation = $0
        parked.signal()
      }
      self.isDone = true
    }
  }
}

private final class Listener: @unchecked Sendable {
  private var continuation: UnsafeContinuation<Int, any Error>?
  private var received = 0

  init() { Life.begin(self, "Listener") }
  deinit { Life.end("Listener") }

  func start(_ parked: DispatchSemaphore) {
    Task {
      self.received = try await withUnsafeThrowingContinuation {
        self.continuation = $0
        parked.signal()
      }
    }
  }
}

private final class Ticker: @unchecked Sendable {
  private let values: AsyncStream<Int>
  private let input: AsyncStream<Int>.Continuation
  private var sum = 0

  init() {
    (values, input) = AsyncStream.makeStream()
    Life.begin(self, "Ticker")
  }
  deinit { Life.end("Ticker") }

  func start(_ started: DispatchSemaphore) {
    Task {
      started.signal()
      for await value in values { self.sum += value }
    }
  }
}

private final class Feed: @unchecked Sendable {
  private let values: AsyncStream<Int>
  private let input: AsyncStream<Int>.Continuation
  private var isStopped = false

  init() {
    (values, input) = AsyncStream.makeStream()
    Life.begin(self, "Feed")
  }
  deinit { Life.end("Feed") }

  func start() {
    input.onTermination = { _ in self.isStopped = true }  // closure: stream-termination
  }
}

private final class Sleeper: @unchecked Sendable {
  private var task: Task<Void, Never>?
  private let isSet = DispatchSemaphore(value: 0)

  init() { Life.begin(self, "Sleeper") }
  deinit { Life.end("Sleeper") }

  func start(_ started: DispatchSemaphore) {
    task = Task {
      self.awaitHandle()
      started.signal()
      await self.task?.value
    }
    isSet.signal()
  }

  private func awaitHandle() { isSet.wait() }
}

private final class Pool: @unchecked Sendable {
  private var continuation: CheckedContinuation<Void, Never>?

  init() { Life.begin(self, "Pool") }
  deinit { Life.end("Pool") }

  func wait(_ parked: DispatchSemaphore) async {
    await withCheckedContinuation {
      continuation = $0
      parked.signal()
    }
  }
}

private actor Cart {
  private var onChange: (() -> Void)?
  private var changes = 0

  init() { Life.begin(self, "Cart") }
  deinit { Life.end("Cart") }

  func setUp() {
    onChange = { self.changes += 1 }  // closure: actor-closure
  }
}

private actor Gate {
  private var waiters: [CheckedContinuation<Void, Never>] = []
  private var passed = 0

  init() { Life.begin(self, "Gate") }
  deinit { Life.end("Gate") }

  func pass(_ parked: DispatchSemaphore) async {
    await withCheckedContinuation {
      waiters.append($0)
      parked.signal()
    }
    passed += 1
  }
}

private actor Room {
  private var visitors: [RoomVisitor] = []

  init() { Life.begin(self, "Room") }
  deinit { Life.end("Room") }

  func add(_ visitor: RoomVisitor) { visitors.append(visitor) }
}

private final class RoomVisitor: Sendable {
  private let room: Room

  init(_ room: Room) {
    self.room = room
    Life.begin(self, "RoomVisitor")
  }
  deinit { Life.end("RoomVisitor") }
}
