// A main function that returns while detached tasks still wait.
// verdict: leak

import ReactiveKit
import ReactiveTrace

let prices = PassthroughSubject<Double, Never>()

@main
struct DetachedTasks {
  static func main() async {
    let started = AsyncStream<Void>.makeStream()
    for name in ["bid", "ask"] {
      Task.detached {
        let values = prices.lane(name).toAsyncStream()
        started.continuation.yield()
        for await price in values { print(price) }
      }
    }
    var count = 0
    for await _ in started.stream {
      count += 1
      if count == 2 { break }
    }
    print("leaving")
  }
}
