// An operation queue, notifications, and a signal that completes on another thread.
// verdict: clean

import Foundation
import ReactiveKit
import ReactiveTrace

let queue = OperationQueue()
queue.maxConcurrentOperationCount = 3
let results = ReplaySubject<Int, Never>(bufferSize: 10)
for number in 1...10 {
  queue.addOperation {
    NotificationCenter.default.post(name: Notification.Name("done"), object: number)
    results.send(number * number)
  }
}
queue.waitUntilAllOperationsAreFinished()
results.send(completion: .finished)
results.reduce(0, +).lane("sum").observeNext { print($0) }.dispose()
