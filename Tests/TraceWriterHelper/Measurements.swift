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
