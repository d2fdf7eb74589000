import Dispatch

extension ObjectCase {
  /// A closure is in an object of Dispatch that neither a queue nor the kernel has.
  static var dispatchLeaks: [ObjectCase] {
    [
      .leak(
        "work-item", .cycle(through: ["Loader.item", "closure.self"], leaked: ["Loader": 1])
      ) {
        Loader().setUp()
      },
      // A canceled item keeps its closure.
      .leak(
        "work-item-canceled",
        .cycle(through: ["Refresher.item", "closure.self"], leaked: ["Refresher": 1])
      ) {
        Refresher().setUp()
      },
      .leak(
        "work-item-performed",
        .cycle(through: ["Cleaner.item", "closure.self"], leaked: ["Cleaner": 1])
      ) {
        Cleaner().setUp()
      },
      .leak(
        "timer-never-activated",
        .cycle(through: ["Pulse.timer", "closure.self"], leaked: ["Pulse": 1])
      ) {
        Pulse().setUp()
      },
      // After a timer without repetition fires, Dispatch doesn't have it anymore.
      .leak(
        "timer-fired-once",
        .cycle(through: ["Alarm.timer", "closure.self"], leaked: ["Alarm": 1])
      ) {
        let fired = DispatchSemaphore(value: 0)
        Alarm().setUp(fired)
        fired.wait()
      },
      .leak(
        "timer-in-its-handler", .cycle(through: ["closure.timer"], leaked: ["Blink": 1])
      ) {
        let blink = Blink()
        let timer = DispatchSource.makeTimerSource()
        timer.setEventHandler {  // closure: timer-in-its-handler
          blink.count += 1
          timer.cancel()
        }
      },
      .leak(
        "queue-suspended",
        .cycle(through: ["Mailbox.queue", "closure.self"], leaked: ["Mailbox": 1])
      ) {
        Mailbox().setUp()
      },
      .leak("queue-specific", .cycle(through: ["Cabinet.queue"], leaked: ["Cabinet": 1])) {
        Cabinet().setUp()
      },
      .leak(
        "group-never-left",
        .cycle(["Batch.group", "closure.self"], leaked: ["Batch": 1])
      ) {
        Batch().setUp()
      },
    ]
  }
}

private final class Loader {
  private var item: DispatchWorkItem?
  private var loads = 0

  init() { Life.begin(self, "Loader") }
  deinit { Life.end("Loader") }

  func setUp() {
    item = DispatchWorkItem { self.loads += 1 }  // closure: work-item
  }
}

private final class Refresher {
  private var item: DispatchWorkItem?
  private var refreshes = 0

  init() { Life.begin(self, "Refresher") }
  deinit { Life.end("Refresher") }

  func setUp() {
    item = DispatchWorkItem { self.refreshes += 1 }  // closure: work-item-canceled
    item?.cancel()
  }
}

private final class Cleaner {
  private var item: DispatchWorkItem?
  private var runs = 0

  init() { Life.begin(self, "Cleaner") }
  deinit { Life.end("Cleaner") }

  func setUp() {
    let item = DispatchWorkItem { self.runs += 1 }  // closure: work-item-performed
    self.item = item
    DispatchQueue.global().async(execute: item)
    item.wait()
  }
}

private final class Pulse {
  private let timer = DispatchSource.makeTimerSource()
  private var ticks = 0

  init() { Life.begin(self, "Pulse") }
  deinit { Life.end("Pulse") }

  func setUp() {
    timer.schedule(deadline: .now(), repeating: 1)
    timer.setEventHandler { self.ticks += 1 }  // closure: timer-never-activated
  }
}

private final class Alarm {
  private let timer = DispatchSource.makeTimerSource()
  private var ticks = 0

  init() { Life.begin(self, "Alarm") }
  deinit { Life.end("Alarm") }

  func setUp(_ fired: DispatchSemaphore) {
    timer.schedule(deadline: .now())
    timer.setEventHandler {  // closure: timer-fired-once
      self.ticks += 1
      fired.signal()
    }
    timer.activate()
  }
}

private final class Blink {
  var count = 0

  init() { Life.begin(self, "Blink") }
  deinit { Life.end("Blink") }
}

private final class Mailbox {
  private let queue = DispatchQueue(label: "mailbox")
  private var letters = 0

  init() { Life.begin(self, "Mailbox") }
  deinit { Life.end("Mailbox") }

  func setUp() {
    queue.suspend()
    queue.async { self.letters += 1 }  // closure: queue-suspended
  }
}

private final class Cabinet {
  private let queue = DispatchQueue(label: "cabinet")

  init() { Life.begin(self, "Cabinet") }
  deinit { Life.end("Cabinet") }

  func setUp() { queue.setSpecific(key: DispatchSpecificKey<Cabinet>(), value: self) }
}

private final class Batch {
  private let group = DispatchGroup()
  private var isDone = false

  init() { Life.begin(self, "Batch") }
  deinit { Life.end("Batch") }

  func setUp() {
    group.enter()
    group.notify(queue: .global()) { self.isDone = true }  // closure: group-never-left
  }
}
