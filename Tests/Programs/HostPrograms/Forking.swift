// A process that forks. One child exits immediately, and the other one normally.
// verdict: leak
// exit: 5

import Glibc
import ReactiveKit
import ReactiveTrace

@_silgen_name("fork") func systemFork() -> Int32

let events = PassthroughSubject<String, Never>()
let bag = DisposeBag()
// Held by a global, so it is still alive at exit.
events.lane("events").observeNext { _ in }.dispose(in: bag)
events.send("before")

func wait(for child: Int32) -> Int32 {
  var status: Int32 = 0
  waitpid(child, &status, 0)
  return status >> 8
}

let quick = systemFork()
if quick == 0 { _exit(1) }
let orderly = systemFork()
if orderly == 0 {
  events.send("in the child")
  exit(2)
}
events.send("after")
print(wait(for: quick), wait(for: orderly))
exit(5)
