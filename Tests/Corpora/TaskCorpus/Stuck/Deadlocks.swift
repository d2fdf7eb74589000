import Foundation

extension TaskCase {
  static let deadlocks: [TaskCase] = [
    .stuck("waits-for-itself", "task-deadlock") {
      let promise = Promise()
      let task = Task {
        await promise.opened()
        await promise.task?.value  // waits: waits-for-itself
      }
      promise.task = task
      promise.open()
    },
    .stuck("two", "task-deadlock") {
      let (first, second) = (Promise(), Promise())
      first.task = Task {
        await first.opened()
        await second.task?.value  // waits: two
      }
      second.task = Task { await first.task?.value }
      first.open()
    },
    .stuck("three", "task-deadlock") {
      let promises = [Promise(), Promise(), Promise()]
      promises[0].task = Task {
        await promises[0].opened()
        await promises[2].task?.value  // waits: three
      }
      for index in 1..<3 {
        promises[index].task = Task { await promises[index - 1].task?.value }
      }
      promises[0].open()
    },
    .stuck("child-waits-for-parent", "task-deadlock") {
      let promise = Promise()
      promise.task = Task {
        await promise.opened()
        async let child: Void? = promise.task?.value
        _ = await child  // waits: child-waits-for-parent
      }
      promise.open()
    },
    .stuck("group-waits-for-parent", "task-deadlock") {
      let promise = Promise()
      promise.task = Task {
        await promise.opened()
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<3 { group.addTask { await promise.task?.value } }
          await group.waitForAll()  // waits: group-waits-for-parent
        }
      }
      promise.open()
    },
    .stuck("in-an-actor", "task-deadlock") {
      let loader = Loader()
      await loader.start()
    },
  ]
}

/// A task that is known only after it was made.
final class Promise: @unchecked Sendable {
  private let lock = NSLock()
  private var stored: Task<Void, Never>?
  private var isOpen = false
  private var waiting: CheckedContinuation<Void, Never>?

  var task: Task<Void, Never>? {
    get { lock.withLock { stored } }
    set { lock.withLock { stored = newValue } }
  }

  func opened() async {
    await withCheckedContinuation { continuation in
      let mayResume = lock.withLock {
        if !isOpen { waiting = continuation }
        return isOpen
      }
      if mayResume { continuation.resume() }
    }
  }

  func open() {
    let waiting = lock.withLock {
      isOpen = true
      defer { self.waiting = nil }
      return self.waiting
    }
    waiting?.resume()
  }
}

private actor Loader {
  private var current: Task<Void, Never>?

  func start() { current = Task { await self.reload() } }

  private func reload() async {
    await current?.value  // waits: in-an-actor
  }
}
