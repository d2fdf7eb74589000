// A thread with the smallest possible stack that exits.
// verdict: leak
// memcheck: yes
// exit: 6
// warning: the stack of the thread that ends the log is too small

import Glibc
import ReactiveKit
import ReactiveTrace

let values = Property(1)
let bag = DisposeBag()
values.lane("values").observeNext { print($0) }.dispose(in: bag)

func leave(_: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? { exit(6) }

var attributes = pthread_attr_t()
pthread_attr_init(&attributes)
pthread_attr_setstacksize(&attributes, 16384)
var thread = pthread_t()
pthread_create(&thread, &attributes, leave, nil)
while true { pause() }
