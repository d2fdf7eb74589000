// Handlers that run at exit and still send events.
// verdict: clean
// memcheck: yes

import Glibc
import ReactiveKit
import ReactiveTrace

atexit {
  // The log has ended by now.
  state.value = "last"
  print("last handler")
}
let state = Property("starting")
let subscription = state.lane("state").observeNext { print($0) }
atexit {
  state.value = "stopping"
  subscription.dispose()
  print("first handler")
}
state.value = "running"
