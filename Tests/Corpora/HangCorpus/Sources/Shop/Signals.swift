import Dispatch
import Foundation

/// Blocks a thread until a task signals, which waits for an answer that never comes.
public func loadAndBlock() -> Int {
  let store = Store()
  let loaded = DispatchSemaphore(value: 0)
  Task.detached {
    await receive(store)
    loaded.signal()
  }
  loaded.wait()
  return 1
}

private func receive(_ store: Store) async {
  var price = 0
  for await next in store.updates {  // culprit: signaler
    price += next
  }
}

extension Store {
  var updates: AsyncStream<Int> { AsyncStream { Store.keep($0) } }

  private static func keep(_ continuation: AsyncStream<Int>.Continuation) {
    continuations.withLock { $0.append(continuation) }
  }
}

private final class Guarded<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value
  init(_ value: Value) { self.value = value }
  func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    lock.withLock { body(&value) }
  }
}

private let continuations = Guarded<[AsyncStream<Int>.Continuation]>([])

/// A main actor that waits for a task that needs the main actor.
@MainActor
public final class Window {
  private var title = ""

  public init() {}

  private func setTitle(_ text: String) { title = text }

  public func show() -> String {
    let shown = DispatchSemaphore(value: 0)
    Task.detached {
      await self.setTitle("shop")
      shown.signal()
    }
    shown.wait()  // culprit: window
    return title
  }
}

/// All threads of the pool of Dispatch wait for further work of the pool.
public func resizeImages() -> Int {
  let images = DispatchGroup()
  let started = DispatchSemaphore(value: 0)
  for _ in 0..<256 {
    DispatchQueue.global().async(group: images) {
      started.signal()
      let parts = DispatchGroup()
      DispatchQueue.global().async(group: parts) {}
      wait(for: parts)
    }
  }
  images.wait()
  return 1
}

private func wait(for parts: DispatchGroup) {
  parts.wait()  // culprit: dispatchPool
}

/// Cancels a queue's barrier that waits for a block, which waits for the barrier.
public func flush() -> Int {
  let queue = DispatchQueue(label: "journal", attributes: .concurrent)
  let written = DispatchSemaphore(value: 0)
  queue.async { written.wait() }  // culprit: queueBarrier
  queue.sync(flags: .barrier) {}  // culprit: queueBarrier
  return 1
}

/// A group of tasks whose closure waits for something else before it looks at the group.
public func collect() async throws -> Int {
  try await withThrowingTaskGroup(of: Int.self) { group in
    group.addTask { 1 }
    let (events, events2) = AsyncStream<Int>.makeStream()
    for await event in events {  // culprit: groupBody
      events2.yield(event)
    }
    return try await group.next() ?? 0
  }
}
