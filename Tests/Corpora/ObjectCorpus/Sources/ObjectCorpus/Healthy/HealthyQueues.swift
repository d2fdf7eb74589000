import Foundation

extension ObjectCase {
  /// Queues, timers and the kernel have the closures with the objects.
  static var healthyQueues: [ObjectCase] {
    [
      .healthy("queue-later", alive: ["Item": 1]) {
        let item = Item()
        DispatchQueue.global().asyncAfter(deadline: .now() + 1000) { item.use() }
      },
      .healthy("queue-later-of-owner", alive: ["Poller": 1]) { Poller().pollLater() },
      .healthy("queue-suspended-global", alive: ["Item": 3]) {
        Queues.suspended.suspend()
        for _ in 0..<3 {
          let item = Item()
          Queues.suspended.async { item.use() }
        }
      },
      .healthy("queue-main-pending", alive: ["Item": 1]) {
        let item = Item()
        DispatchQueue.main.async { item.use() }
      },
      .healthy("queue-blocked", alive: ["Item": 2]) {
        let queue = DispatchQueue(label: "blocked")
        let item = Item()
        let waiting = Item()
        let started = DispatchSemaphore(value: 0)
        queue.async {
          started.signal()
          Waiting.forever()
          item.use()
        }
        queue.async { waiting.use() }
        started.wait()
      },
      .healthy("queue-barrier", alive: ["Item": 2]) {
        let queue = DispatchQueue(label: "barrier", attributes: .concurrent)
        let item = Item()
        let waiting = Item()
        let started = DispatchSemaphore(value: 0)
        queue.async {
          started.signal()
          Waiting.forever()
          item.use()
        }
        started.wait()
        queue.async(flags: .barrier) { waiting.use() }
      },
      .healthy("queue-specific-global", alive: ["Item": 1]) {
        Queues.suspended.setSpecific(key: DispatchSpecificKey<Item>(), value: Item())
      },
      .healthy("work-item-later", alive: ["Poller": 1]) { Poller().pollItemLater() },
      .healthy("group-notify", alive: ["Item": 2]) {
        let group = DispatchGroup()
        let item = Item()
        let started = DispatchSemaphore(value: 0)
        DispatchQueue.global().async(group: group) {
          started.signal()
          Waiting.forever()
          item.use()
        }
        let notified = Item()
        group.notify(queue: .global()) { notified.use() }
        started.wait()
      },
      .healthy("timer-repeating", alive: ["Poller": 1]) {
        let fired = DispatchSemaphore(value: 0)
        Poller().poll(every: 0.01, fired)
        fired.wait()
      },
      .healthy("timer-in-future", alive: ["Poller": 1]) {
        Poller().poll(every: 1000, DispatchSemaphore(value: 0))
      },
      .healthy("timer-suspended-global", alive: ["Item": 1]) {
        let item = Item()
        Queues.timer.setEventHandler { item.use() }
      },
      .healthy("read-source", alive: ["Item": 1]) {
        let pipe = Pipe()
        let item = Item()
        let source = DispatchSource.makeReadSource(
          fileDescriptor: pipe.fileHandleForReading.fileDescriptor)
        source.setEventHandler {
          item.use()
          source.cancel()
        }
        // The closure of the handler also has the pipe, so that it stays open.
        source.setCancelHandler { _ = pipe }
        source.activate()
      },
      .healthy("signal-source", alive: ["Item": 1]) {
        let item = Item()
        let source = DispatchSource.makeSignalSource(signal: SIGUSR2)
        source.setEventHandler {
          item.use()
          source.cancel()
        }
        source.activate()
      },
      .healthy("semaphore-global", alive: ["Item": 1]) {
        let item = Item()
        Background.run { ready in
          ready.signal()
          Background.isReady.wait()
          item.use()
        }
      },
      .healthy("concurrent-perform", alive: ["Item": 8]) {
        let items = (0..<8).map { _ in Item() }
        Statics.array = items
        DispatchQueue.concurrentPerform(iterations: 8) { items[$0].use() }
      },
      .healthy("queue-finished", alive: [:]) {
        let item = Item()
        DispatchQueue(label: "finished").sync { item.use() }
        let done = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
          item.use()
          done.signal()
        }
        done.wait()
      },
    ]
  }
}

private enum Queues {
  static let suspended = DispatchQueue(label: "suspended")
  static let timer = DispatchSource.makeTimerSource()
}

private final class Poller: @unchecked Sendable {
  private let timer = DispatchSource.makeTimerSource()
  private var item: DispatchWorkItem?
  private var polls = 0

  init() {
    Life.begin(self, "Poller")
    // A source must be active when it is deallocated.
    timer.activate()
  }
  deinit { Life.end("Poller") }

  func pollLater() {
    DispatchQueue.global().asyncAfter(deadline: .now() + 1000) { self.polls += 1 }
  }

  func pollItemLater() {
    let item = DispatchWorkItem { self.polls += 1 }
    self.item = item
    DispatchQueue.global().asyncAfter(deadline: .now() + 1000, execute: item)
  }

  func poll(every seconds: Double, _ fired: DispatchSemaphore) {
    timer.setEventHandler {
      self.polls += 1
      if self.polls == 1 { fired.signal() }
    }
    timer.schedule(deadline: .now() + seconds, repeating: seconds)
  }
}
