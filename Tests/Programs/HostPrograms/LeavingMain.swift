// A main thread that ends while another thread continues the program.
// verdict: clean
// exit: 4

import Foundation
import ReactiveKit
import ReactiveTrace

let steps = PassthroughSubject<Int, Never>()
let subscription = steps.lane("steps").observeNext { @Sendable value in print(value) }
steps.send(1)
Thread.detachNewThread {
  steps.send(2)
  subscription.dispose()
  exit(4)
}
pthread_exit(nil)
