import Dispatch
import ReactiveTrace

/// What a record costs, and what tracing costs where it is off.
enum Measurements {
  static func print(records: Int, threads: [Int]) {
    let clock = ContinuousClock()
    if Recorder.current == nil {
      var live = 0
      let time = clock.measure {
        for _ in 0..<records where Recorder.current != nil { live += 1 }
      }
      report("off, one look", time, records)
      return
    }
    for threads in threads {
      let time = clock.measure {
        DispatchQueue.concurrentPerform(iterations: threads) { _ in
          guard let subscription = Modes.subscription("search.results") else { return }
          for _ in 0..<records { subscription.next("0123456789") }
          subscription.completed()
        }
      }
      report("\(threads) threads, a record of each", time, records)
    }
  }

  private static func report(_ what: String, _ time: Duration, _ count: Int) {
    let nanoseconds = Double(time.components.attoseconds) / 1e9
    let seconds = Double(time.components.seconds) * 1e9
    let each = (seconds + nanoseconds) / Double(max(1, count))
    Modes.tell("\(what): \((each * 100).rounded() / 100) ns\n")
  }
}
