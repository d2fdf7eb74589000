import Foundation

extension ObjectCase {
  /// Tasks that can continue, or that someone can resume, have the objects.
  static var healthyTasks: [ObjectCase] {
    [
      .healthy("task-sleeps", alive: ["Item": 1]) {
        let item = Item()
        start { started in
          started.signal()
          try? await Task.sleep(for: .seconds(1000))
          item.use()
        }
      },
      .healthy("task-of-owner-sleeps", alive: ["Reloader": 1]) {
        let started = DispatchSemaphore(value: 0)
        Reloader().start(started)
        started.wait()
      },
      .healthy("task-with-local-object", alive: ["Item": 3]) {
        start { started in
          let items = (0..<3).map { Item(number: $0) }
          started.signal()
          try? await Task.sleep(for: .seconds(1000))
          for item in items { item.use() }
        }
      },
      .healthy("task-blocks-its-thread", alive: ["Item": 1]) {
        let item = Item()
        start { started in
          started.signal()
          block()
          item.use()
        }
      },
      .healthy("task-continuation-in-global", alive: ["Item": 1]) {
        let item = Item()
        start { started in
          await withCheckedContinuation {
            Tasks.continuation = $0
            started.signal()
          }
          item.use()
        }
      },
      .healthy("task-continuation-in-memory", alive: ["Item": 1]) {
        let item = Item()
        start { started in
          await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
            let memory = Memory.makeBlock(16)
            memory.storeBytes(of: unsafeBitCast(continuation, to: UInt.self), as: UInt.self)
            Memory.raw = memory
            started.signal()
          }
          item.use()
        }
      },
      .healthy("task-consumes-stream", alive: ["Item": 1]) {
        let item = Item()
        let (values, input) = AsyncStream.makeStream(of: Int.self)
        Tasks.input = input
        start { started in
          started.signal()
          for await _ in values { item.use() }
        }
      },
      .healthy("stream-with-buffered-objects", alive: ["Item": 5]) {
        let (values, input) = AsyncStream.makeStream(of: Item.self)
        for _ in 0..<5 { input.yield(Item()) }
        Tasks.objects = values
      },
      .healthy("task-async-let-sleeps", alive: ["Item": 2]) {
        start { started in
          let item = Item()
          async let child: Void = sleep(with: Item(), started)
          await child
          item.use()
        }
      },
      .healthy("task-group", alive: ["Item": 4]) {
        let started = DispatchSemaphore(value: 0)
        Task {
          await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { await sleep(with: Item(), started) } }
          }
        }
        for _ in 0..<4 { started.wait() }
      },
      .healthy("task-awaits-another", alive: ["Item": 2]) {
        let item = Item()
        start { started in
          let other = Task { await sleep(with: Item(), started) }
          await other.value
          item.use()
        }
      },
      .healthy("task-on-main-actor", alive: ["Item": 1]) {
        let item = Item()
        Task { @MainActor in item.use() }
      },
      .healthy("task-local-value", alive: ["Item": 1]) {
        start { started in
          await Tasks.$current.withValue(Item()) {
            started.signal()
            try? await Task.sleep(for: .seconds(1000))
          }
        }
      },
      .healthy("task-with-handler", alive: ["Item": 2]) {
        let item = Item()
        let handled = Item()
        start { started in
          await withTaskCancellationHandler {
            started.signal()
            try? await Task.sleep(for: .seconds(1000))
            item.use()
          } onCancel: {
            handled.use()
          }
        }
      },
      .healthy("actor-reentrancy", alive: ["Counter": 1, "Item": 3]) {
        let counter = Counter()
        let started = DispatchSemaphore(value: 0)
        for _ in 0..<3 { Task { await counter.count(Item(), started) } }
        for _ in 0..<3 { started.wait() }
      },
      .healthy("actor-global", alive: ["Counter": 1, "Item": 1]) {
        Waiting.run { await Tasks.counter.add(Item()) }
      },
      .healthy("actor-held-by-task", alive: ["Counter": 1, "Item": 1]) {
        start { started in
          let counter = Counter()
          await counter.add(Item())
          started.signal()
          try? await Task.sleep(for: .seconds(1000))
          await counter.removeAll()
        }
      },
      .healthy("task-finished", alive: [:]) {
        Waiting.run {
          let item = Item()
          let task = Task { item.use() }
          await task.value
        }
      },
      .healthy("task-result-in-global", alive: ["Item": 1]) {
        Tasks.result = Task { Item() }
        Waiting.run { _ = await Tasks.result?.value }
      },
    ]
  }
}

/// Starts a task, and waits until it signals that it has started.
private func start(_ body: @escaping @Sendable (_ started: DispatchSemaphore) async -> Void) {
  let started = DispatchSemaphore(value: 0)
  Task { await body(started) }
  started.wait()
}

private func sleep(with item: Item, _ started: DispatchSemaphore) async {
  started.signal()
  try? await Task.sleep(for: .seconds(1000))
  item.use()
}

/// Blocks the thread of a task.
private func block() { Waiting.forever() }

private enum Tasks {
  nonisolated(unsafe) static var continuation: CheckedContinuation<Void, Never>?
  nonisolated(unsafe) static var input: AsyncStream<Int>.Continuation?
  nonisolated(unsafe) static var objects: AsyncStream<Item>?
  nonisolated(unsafe) static var result: Task<Item, Never>?
  static let counter = Counter()

  @TaskLocal static var current: Item?
}

private final class Reloader: @unchecked Sendable {
  private var task: Task<Void, Never>?
  private var reloads = 0

  init() { Life.begin(self, "Reloader") }
  deinit { Life.end("Reloader") }

  func start(_ started: DispatchSemaphore) {
    task = Task {
      started.signal()
      while !Task.isCancelled {
        try? await Task.sleep(for: .seconds(1000))
        self.reloads += 1
      }
    }
  }
}

private actor Counter {
  private var items: [Item] = []

  init() { Life.begin(self, "Counter") }
  deinit { Life.end("Counter") }

  func add(_ item: Item) { items.append(item) }
  func removeAll() { items.removeAll() }

  func count(_ item: Item, _ started: DispatchSemaphore) async {
    started.signal()
    try? await Task.sleep(for: .seconds(1000))
    item.use()
    items.removeAll()
  }
}
