// Forty Foundation threads, each of which observes and then ends.
// verdict: clean
// memcheck: yes

import Foundation
import ReactiveKit
import ReactiveTrace

let values = Property(0)
let lock = NSLock()
let done = DispatchGroup()
nonisolated(unsafe) var sum = 0
for number in 1...40 {
  done.enter()
  let thread = Thread {
    values.map { $0 + number }.lane("value of a thread").observeNext { value in
      lock.lock()
      sum += value
      lock.unlock()
    }.dispose()
    done.leave()
  }
  thread.name = "worker \(number)"
  thread.start()
}
done.wait()
print(sum)
