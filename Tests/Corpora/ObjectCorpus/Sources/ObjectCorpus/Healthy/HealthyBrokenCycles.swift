import Foundation

extension ObjectCase {
  /// The cycle is broken before the end.
  static var healthyBrokenCycles: [ObjectCase] {
    [
      .healthy("broken-by-nil", alive: [:]) {
        let item = Item()
        item.next = Item(next: item)
        item.next = nil
      },
      .healthy("broken-closure", alive: [:]) {
        let item = Item()
        item.action = { item.use() }
        item.action?()
        item.action = nil
      },
      // The closure removes itself when it runs.
      .healthy("broken-by-callback", alive: [:]) {
        let item = Item()
        item.action = {
          item.use()
          item.action = nil
        }
        item.action?()
      },
      .healthy("broken-by-remove-all", alive: [:]) {
        var items = (0..<10).map { _ in Item() }
        for item in items { item.next = items[0] }
        for item in items { item.next = nil }
        items.removeAll()
      },
      .healthy("broken-work-item", alive: [:]) {
        let holder = WorkHolder()
        holder.start()
        holder.item?.wait()
        holder.item = nil
      },
      .healthy("broken-task", alive: [:]) {
        let item = Item()
        let done = DispatchSemaphore(value: 0)
        TaskSlot.task = Task {
          await Task.yield()
          item.use()
        }
        Task {
          await TaskSlot.task?.value
          TaskSlot.task = nil
          done.signal()
        }
        done.wait()
      },
      .healthy("broken-continuation", alive: [:]) {
        let waiter = Waiter()
        Waiting.run {
          async let result: Void = waiter.wait()
          while !waiter.resume() { await Task.yield() }
          await result
        }
      },
      .healthy("broken-stream", alive: [:]) {
        Waiting.run {
          let item = Item()
          let (values, input) = AsyncStream.makeStream(of: Int.self)
          input.onTermination = { _ in item.use() }
          let consumer = Task { for await _ in values { item.use() } }
          input.yield(1)
          input.finish()
          await consumer.value
        }
      },
      .healthy("broken-timer", alive: [:]) {
        let done = DispatchSemaphore(value: 0)
        CanceledTimer().start(done)
        done.wait()
      },
      // The receiver loses its closure when the center removes it.
      .healthy("observer-removed", alive: [:]) {
        let holder = TokenHolder()
        let update = { @Sendable (_: Notification) in holder.item.use() }
        let center = NotificationCenter.default
        let token = center.addObserver(
          forName: .init("Update"), object: nil, queue: nil, using: update)
        holder.token = token
        center.removeObserver(token)
      },
      .healthy("unmanaged-balanced", alive: [:]) {
        let context = Item.makeRaw()
        Unmanaged<Item>.fromOpaque(context).takeRetainedValue().use()
      },
      .healthy("pointer-balanced", alive: [:]) {
        let pointer = UnsafeMutablePointer<Item>.allocate(capacity: 2)
        pointer.initialize(repeating: Item(), count: 2)
        pointer.deinitialize(count: 2)
        pointer.deallocate()
      },
    ]
  }
}

private final class WorkHolder: @unchecked Sendable {
  var item: DispatchWorkItem?
  private var runs = 0

  init() { Life.begin(self, "WorkHolder") }
  deinit { Life.end("WorkHolder") }

  func start() {
    let item = DispatchWorkItem { self.runs += 1 }
    self.item = item
    DispatchQueue.global().async(execute: item)
  }
}

private enum TaskSlot {
  nonisolated(unsafe) static var task: Task<Void, Never>?
}

private final class Waiter: @unchecked Sendable {
  private let lock = NSLock()
  private var continuation: CheckedContinuation<Void, Never>?

  init() { Life.begin(self, "Waiter") }
  deinit { Life.end("Waiter") }

  func wait() async {
    await withCheckedContinuation { new in lock.withLock { continuation = new } }
  }

  /// Returns whether there was a continuation.
  func resume() -> Bool {
    let taken = lock.withLock {
      defer { continuation = nil }
      return continuation
    }
    taken?.resume()
    return taken != nil
  }
}

private final class CanceledTimer: @unchecked Sendable {
  private let timer = DispatchSource.makeTimerSource()
  private var ticks = 0

  init() { Life.begin(self, "CanceledTimer") }
  deinit { Life.end("CanceledTimer") }

  func start(_ done: DispatchSemaphore) {
    timer.schedule(deadline: .now(), repeating: 0.001)
    timer.setEventHandler {
      self.ticks += 1
      self.timer.cancel()
    }
    timer.setCancelHandler { done.signal() }
    timer.activate()
  }
}

private final class TokenHolder: @unchecked Sendable {
  let item = Item()
  var token: (any NSObjectProtocol)?

  init() { Life.begin(self, "TokenHolder") }
  deinit { Life.end("TokenHolder") }
}
