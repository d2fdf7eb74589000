// A program that runs on the main queue, and exits from it.
// verdict: clean
// exit: 7

import Dispatch
import Glibc
import ReactiveKit
import ReactiveTrace

let requests = PassthroughSubject<Int, Never>()
let subscription = requests.lane("requests").receive(on: DispatchQueue.main).observeNext {
  print("answered", $0)
  if $0 < 3 {
    let next = $0 + 1
    DispatchQueue.global().async { requests.send(next) }
  } else {
    subscription.dispose()
    exit(7)
  }
}
requests.send(1)
dispatchMain()
