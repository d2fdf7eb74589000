import Foundation

extension ObjectCase {
  /// Objects of Foundation that are reachable have the objects.
  static var healthyFoundation: [ObjectCase] {
    [
      .healthy("notification-observer", alive: ["Item": 1]) {
        let item = Item()
        _ = NotificationCenter.default.addObserver(
          forName: .init("Update"), object: nil, queue: nil
        ) { _ in item.use() }
      },
      // The object has the token, and the closure has the object. The center has the closure.
      .healthy("notification-token-of-self", alive: ["Observer": 1]) { Observer().observe() },
      .healthy("run-loop-timer", alive: ["Item": 1]) {
        let item = Item()
        RunLoop.main.add(
          Timer(timeInterval: 1000, repeats: true) { _ in item.use() }, forMode: .default)
      },
      .healthy("run-loop-timer-of-self", alive: ["Observer": 1]) { Observer().tick() },
      .healthy("run-loop-block", alive: ["Item": 1]) {
        let item = Item()
        RunLoop.main.perform { item.use() }
      },
      .healthy("ns-containers", alive: ["Item": 3]) {
        let array = NSMutableArray()
        array.add(Item())
        array.add(NSMutableDictionary(object: Item(), forKey: "item" as NSString))
        array.add(NSMutableSet(object: Item()))
        Memory.any = array
      },
      .healthy("ns-cache-global", alive: ["Item": 3]) {
        let cache = NSCache<NSString, Item>()
        for number in 0..<3 { cache.setObject(Item(), forKey: "item \(number)" as NSString) }
        Memory.any = cache
      },
      .healthy("formatters", alive: ["Formatters": 1]) {
        let formatters = Formatters()
        formatters.date.dateFormat = "yyyy-MM-dd"
        formatters.texts.append(formatters.date.string(from: Date(timeIntervalSince1970: 0)))
        formatters.texts.append(formatters.number.string(from: 1234) ?? "")
        Memory.any = formatters
      },
      .healthy("coders", alive: ["Coders": 1]) {
        let coders = Coders()
        let data = (try? coders.encoder.encode([1, 2, 3])) ?? Data()
        coders.numbers = (try? coders.decoder.decode([Int].self, from: data)) ?? []
        Memory.any = coders
      },
      .healthy("operation-queue-suspended", alive: ["Item": 3]) {
        let queue = OperationQueue()
        queue.isSuspended = true
        for _ in 0..<3 {
          let item = Item()
          queue.addOperation { item.use() }
        }
        Memory.any = queue
      },
      .healthy("operation-running", alive: ["Item": 1]) {
        let queue = OperationQueue()
        let item = Item()
        let started = DispatchSemaphore(value: 0)
        queue.addOperation {
          started.signal()
          Waiting.forever()
          item.use()
        }
        started.wait()
      },
      .healthy("operations-with-dependencies", alive: ["Item": 2]) {
        let operations = (0..<2).map { _ in
          let item = Item()
          return BlockOperation { item.use() }
        }
        operations[1].addDependency(operations[0])
        Memory.any = operations[1]
      },
      .healthy("file-handle-handler", alive: ["Item": 1]) {
        let item = Item()
        let pipe = Pipe()
        pipe.fileHandleForReading.readabilityHandler = { _ in item.use() }
        Memory.any = pipe
      },
      .healthy("progress-global", alive: ["Item": 1]) {
        let item = Item()
        let progress = Progress(totalUnitCount: 10)
        progress.cancellationHandler = { item.use() }
        progress.addChild(Progress(totalUnitCount: 5), withPendingUnitCount: 5)
        Memory.any = progress
      },
      .healthy("process-info", alive: ["Titles": 1]) {
        let titles = Titles()
        titles.values = [ProcessInfo.processInfo, FileManager.default, TimeZone.current]
        titles.texts = ProcessInfo.processInfo.arguments
        Titles.current = titles
      },
      .healthy("error-with-object", alive: ["Item": 1]) {
        Statics.error = NSError(domain: "Item", code: 1, userInfo: ["item": Item()])
      },
      .healthy("regular-expressions", alive: ["Titles": 1]) {
        let titles = Titles()
        guard let regex = try? Regex("([0-9]+)-(?<name>[a-z]+)") else { return }
        titles.values = [regex, (try? NSRegularExpression(pattern: "a+b")) as Any]
        titles.texts = ["12-ab".firstMatch(of: regex).map { String("12-ab"[$0.range]) } ?? ""]
        Titles.current = titles
      },
      .healthy("locks", alive: ["Item": 1]) {
        let item = Item()
        let lock = NSRecursiveLock()
        lock.lock()
        Memory.any = lock
        globalItem = item
      },
    ]
  }
}

private final class Observer: @unchecked Sendable {
  private var token: (any NSObjectProtocol)?
  private var timer: Timer?
  private var updates = 0

  init() { Life.begin(self, "Observer") }
  deinit { Life.end("Observer") }

  func observe() {
    token = NotificationCenter.default.addObserver(
      forName: .init("Update"), object: nil, queue: nil
    ) { _ in self.updates += 1 }
  }

  func tick() {
    let timer = Timer(timeInterval: 1000, repeats: true) { _ in self.updates += 1 }
    self.timer = timer
    RunLoop.main.add(timer, forMode: .default)
  }
}

private final class Formatters {
  let date = DateFormatter()
  let number = NumberFormatter()
  let iso = ISO8601DateFormatter()
  var texts: [String] = []

  init() { Life.begin(self, "Formatters") }
  deinit { Life.end("Formatters") }
}

private final class Coders {
  let encoder = JSONEncoder()
  let decoder = JSONDecoder()
  var numbers: [Int] = []

  init() { Life.begin(self, "Coders") }
  deinit { Life.end("Coders") }
}
