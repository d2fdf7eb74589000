import Foundation

extension ObjectCase {
  /// The reference or the closure is in an object of Foundation.
  static var foundationLeaks: [ObjectCase] {
    [
      .leak(
        "timer-unscheduled",
        .cycle(through: ["Clock.timer", "closure.self"], or: [], leaked: ["Clock": 1])
      ) {
        Clock().setUp()
      },
      .leak(
        "observer-of-center",
        .cycle(through: ["Sheet.center", "closure.self"], leaked: ["Sheet": 1])
      ) {
        Sheet().setUp()
      },
      .leak("ns-array", .cycle(through: ["Basket.items"], leaked: ["Basket": 1])) {
        let basket = Basket()
        basket.items.add(basket)
      },
      .leak("ns-dictionary", .cycle(through: ["Basket.prices"], leaked: ["Basket": 1])) {
        let basket = Basket()
        basket.prices["self" as NSString] = basket
      },
      .leak("ns-set", .cycle(through: ["Basket.labels"], leaked: ["Basket": 1])) {
        let basket = Basket()
        basket.labels.add(basket)
      },
      .leak("ns-cache", .cycle(through: ["Basket.cache"], leaked: ["Basket": 1])) {
        let basket = Basket()
        basket.cache.setObject(basket, forKey: "self")
      },
      .leak("ns-error", .cycle(through: ["Basket.error"], leaked: ["Basket": 1])) {
        let basket = Basket()
        basket.error = NSError(domain: "Basket", code: 1, userInfo: ["basket": basket])
      },
      .leak("notification", .cycle(["Basket.notification"], leaked: ["Basket": 1])) {
        let basket = Basket()
        basket.notification = Notification(name: .init("Full"), userInfo: ["basket": basket])
      },
      .leak("decoder", .cycle(through: ["Basket.decoder"], leaked: ["Basket": 1])) {
        let basket = Basket()
        if let key = CodingUserInfoKey(rawValue: "basket") { basket.decoder.userInfo[key] = basket }
      },
      .leak(
        "block-operation",
        .cycle(through: ["Publisher.operation", "closure.self"], leaked: ["Publisher": 1])
      ) {
        Publisher().setUp()
      },
      .leak(
        "operation-completion",
        .cycle(through: ["closure.operation"], leaked: ["Upload": 1])
      ) {
        let operation = Upload()
        operation.completionBlock = { operation.uploads += 1 }  // closure: operation-completion
      },
      // Operations depend on each other. All references are in properties of Foundation.
      .leak("operation-dependencies", .cycle(through: [], leaked: ["Upload": 2])) {
        let operations = [Upload(), Upload()]
        operations[0].addDependency(operations[1])
        operations[1].addDependency(operations[0])
      },
      .leak(
        "progress", .cycle(through: ["Export.progress", "closure.self"], leaked: ["Export": 1])
      ) {
        Export().setUp()
      },
      .leak(
        "predicate", .cycle(through: ["Search.predicate", "closure.self"], leaked: ["Search": 1])
      ) {
        Search().setUp()
      },
      .leak(
        "thread-not-started",
        .cycle(through: ["Renderer.thread", "closure.self"], leaked: ["Renderer": 1])
      ) {
        Renderer().setUp()
      },
    ]
  }
}

private final class Clock {
  private var timer: Timer?
  private var ticks = 0

  init() { Life.begin(self, "Clock") }
  deinit { Life.end("Clock") }

  func setUp() {
    timer = Timer(timeInterval: 1, repeats: true) { _ in  // closure: timer-unscheduled
      self.ticks += 1
    }
  }
}

private final class Sheet {
  private let center = NotificationCenter()
  private var updates = 0

  init() { Life.begin(self, "Sheet") }
  deinit { Life.end("Sheet") }

  func setUp() {
    let body = { @Sendable (_: Notification) in self.updates += 1 }  // closure: observer-of-center
    _ = center.addObserver(forName: .init("Update"), object: nil, queue: nil, using: body)
  }
}

private final class Basket: NSObject, @unchecked Sendable {
  let items = NSMutableArray()
  let prices = NSMutableDictionary()
  let labels = NSMutableSet()
  let cache = NSCache<NSString, Basket>()
  let decoder = JSONDecoder()
  var error: NSError?
  var notification: Notification?

  override init() {
    super.init()
    Life.begin(self, "Basket")
  }
  deinit { Life.end("Basket") }
}

private final class Publisher {
  private var operation: BlockOperation?
  private var published = 0

  init() { Life.begin(self, "Publisher") }
  deinit { Life.end("Publisher") }

  func setUp() {
    operation = BlockOperation { self.published += 1 }  // closure: block-operation
  }
}

private final class Upload: Operation, @unchecked Sendable {
  var uploads = 0

  override init() {
    super.init()
    Life.begin(self, "Upload")
  }
  deinit { Life.end("Upload") }
}

private final class Export {
  private let progress = Progress(totalUnitCount: 10)
  private var isCanceled = false

  init() { Life.begin(self, "Export") }
  deinit { Life.end("Export") }

  func setUp() {
    progress.cancellationHandler = { self.isCanceled = true }  // closure: progress
  }
}

private final class Search {
  private var predicate: NSPredicate?
  private var text = "A"

  init() { Life.begin(self, "Search") }
  deinit { Life.end("Search") }

  func setUp() {
    predicate = NSPredicate { value, _ in  // closure: predicate
      (value as? String) == self.text
    }
  }
}

private final class Renderer {
  private var thread: Thread?
  private var frames = 0

  init() { Life.begin(self, "Renderer") }
  deinit { Life.end("Renderer") }

  func setUp() {
    thread = Thread { self.frames += 1 }  // closure: thread-not-started
  }
}
