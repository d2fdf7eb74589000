import ReactiveKit
import ReactiveTrace
import TestThreads

/// Measurements of the cost of a record, with tracing on and off.
enum Measurements {
  static func print(records: Int, threads: [Int]) {
    for threads in threads {
      guard threads > 0 else { return measure("integers", records, 1, elements: [12, 3_456_789]) }
      measure("integers (first)", records, threads, elements: [12, 3_456_789])
      measure("strings of 10", records, threads, elements: ["0123456789"])
      measure("integers", records, threads, elements: [12, 3_456_789])
      measure("doubles", records, threads, elements: [0.25, 3.14159])
      measure("arrays of 3", records, threads, elements: [[1, 2, 3]])
    }
  }

  private struct Trade {
    let id: Int
    let symbol: String
    let price: Double
  }
  private enum Message {
    case none
    case filled(Trade)
    case text(String)
  }
  private struct Order {
    var id = 1204, account = "A-17", symbol = "SYM5", price = 6.25, size = 100
    var isOpen = true, side: UInt8 = 1, limit: Double? = 6.5, note = "first"
    var trade = Trade(id: 39_595, symbol: "SYM5", price: 6.25)
  }

  /// Measures elements of many types and compares each with `String(describing:)`.
  ///
  /// - Parameter only: The only element to measure, or `nil` for all.
  static func printElements(records: Int, only: String?) {
    func compare<Element>(_ what: String, _ element: Element) {
      if only == nil || only == what { Self.compare(what, records, element, alone: only != nil) }
    }
    let trade = Trade(id: 39_595, symbol: "SYM5", price: 6.25)
    compare("a structure of 3 fields", trade)
    compare("an optional structure", Optional(trade))
    compare("an array of 3 integers", [1, 2, 3])
    compare("an array of 1,000 integers", Array(0..<1000))
    compare("a case with a payload", Message.filled(trade))
    compare("a case without a payload", Message.none)
    compare("a dictionary of 3", ["a": 1, "b": 2, "c": 3])
    compare("a structure of 10 fields", Order())
    compare("a tuple", (1, "two"))
    compare("an integer of any type", 3 as Any)
  }

  private static func compare<Element>(
    _ what: String, _ records: Int, _ element: Element, alone: Bool
  ) {
    let subject = PassthroughSubject<Element, Never>()
    let disposable = subject.lane("search.suggestions.results").observeNext { _ in }
    time("\(what)", (records, 1)) { _ in for _ in 0..<records { subject.send(element) } }
    disposable.dispose()
    if alone { return }
    var bytes = 0
    let slow = max(1, records / 16)
    time("\(what), String(describing:)", (slow, 1)) { _ in
      for _ in 0..<slow { bytes += String(describing: element).utf8.count }
    }
    precondition(bytes > 0)
  }

  /// Measures observations for each number of threads. Each thread observes its own subject.
  static func printObserving(count: Int, threads: [Int]) {
    let recorder = Recorder.current
    for threads in threads {
      let counts = (count, max(1, threads))
      observe("no lane", counts) { $0.toSignal() }
      if recorder == nil { continue }
      observe("a lane", counts) { $0.lane("search.results") }
      observe("three lanes", counts) { $0.lane("a").map { $0 &+ 1 }.lane("b").lane("c") }
      guard let locations = recorder?.locations else { continue }
      for levels in [0, 8, 30] {
        time("the place at a depth of \(levels) more calls", counts) { _ in
          repeatDeeply(levels, count) { _ = locations.here() }
        }
      }
    }
  }

  private static func observe(
    _ what: String, _ counts: (each: Int, threads: Int),
    _ signal: @escaping @Sendable (PassthroughSubject<Int, Never>) -> Signal<Int, Never>
  ) {
    time("make, observe and dispose, \(what)", counts) { _ in
      let subject = PassthroughSubject<Int, Never>()
      for _ in 0..<counts.each { signal(subject).observeNext { _ in }.dispose() }
    }
  }

  @inline(never)
  private static func repeatDeeply(_ levels: Int, _ count: Int, _ body: () -> Void) {
    if levels > 0 {
      repeatDeeply(levels - 1, count, body)
      // Prevents a tail call, so that this function keeps its frame.
      return withExtendedLifetime(count) {}
    }
    for _ in 0..<count { body() }
  }

  private static func time(
    _ what: String, _ counts: (each: Int, threads: Int),
    _ body: @escaping (Int) -> Void
  ) {
    let time = ContinuousClock().measure { runOnThreads(counts.threads, body) }
    let nanoseconds =
      Double(time.components.seconds) * 1e9 + Double(time.components.attoseconds) / 1e9
    let each = nanoseconds / Double(max(1, counts.each * counts.threads))
    Modes.report("\(counts.threads) threads, \(what): \(each.rounded()) ns\n")
  }

  private static func measure<Element: Sendable>(
    _ what: String, _ records: Int, _ threads: Int, elements: [Element]
  ) {
    let time = ContinuousClock().measure {
      runOnThreads(threads) { _ in
        let subject = PassthroughSubject<Element, Never>()
        var seen = 0
        let disposable = subject.lane("search.suggestions.results").observeNext { _ in seen &+= 1 }
        for index in 0..<records { subject.send(elements[index % elements.count]) }
        disposable.dispose()
        precondition(seen == records)
      }
    }
    let nanoseconds = Double(time.components.attoseconds) / 1e9
    let seconds = Double(time.components.seconds) * 1e9
    let each = (seconds + nanoseconds) / Double(max(1, records * threads))
    Modes.report("\(threads) threads, \(what): \((each * 100).rounded() / 100) ns\n")
  }
}
