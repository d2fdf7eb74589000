import ReactiveKit
import ReactiveTrace
import TestThreads

/// Measurements of the cost of a record, and of tracing that is off.
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

  /// Measures observations by as many threads, each of which observes on its own subject.
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
      // Keeps the call from ending this function, which would then need no frame.
      return withExtendedLifetime(count) {}
    }
    for _ in 0..<count { body() }
  }

  private static func time(
    _ what: String, _ counts: (each: Int, threads: Int),
    _ body: @escaping @Sendable (Int) -> Void
  ) {
    let time = ContinuousClock().measure { runOnThreads(counts.threads, body) }
    let nanoseconds =
      Double(time.components.seconds) * 1e9 + Double(time.components.attoseconds) / 1e9
    let each = nanoseconds / Double(max(1, counts.each * counts.threads))
    Modes.tell("\(counts.threads) threads, \(what): \(each.rounded()) ns\n")
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
    Modes.tell("\(threads) threads, \(what): \((each * 100).rounded() / 100) ns\n")
  }
}
