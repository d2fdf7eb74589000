// A program that uses up its address space, and then exits.
// verdict: leak
// exit: 9
// warning: the process has too little memory left

import Glibc
import ReactiveKit
import ReactiveTrace

let values = Property(1)
let bag = DisposeBag()
values.lane("values").observeNext { _ in }.dispose(in: bag)

var limit = rlimit()
getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
if limit.rlim_cur == rlim_t.max {
  // The current size, which is given in pages, plus 300 MB.
  let file = fopen("/proc/self/statm", "r")
  var line = [CChar](repeating: 0, count: 256)
  fgets(&line, 256, file)
  limit.rlim_cur = rlim_t(atoi(line)) * 4096 + 300 << 20
  setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
}
var size = 64 << 20
while size > 8 {
  if malloc(size) == nil { size /= 2 }
}
exit(9)
