// A recursion that exits when the stack of the main thread is nearly used up.
// verdict: leak
// memcheck: yes
// exit: 8
// warning: the stack of the thread that ends the log is too small

import Glibc
import ReactiveKit
import ReactiveTrace

@_silgen_name("pthread_getattr_np")
func getAttributes(_: pthread_t, _: UnsafeMutablePointer<pthread_attr_t>) -> Int32

let values = Property(1)
let bag = DisposeBag()
values.lane("values").observeNext { print($0) }.dispose(in: bag)

let lowest: UInt = {
  var attributes = pthread_attr_t()
  _ = getAttributes(pthread_self(), &attributes)
  var start: UnsafeMutableRawPointer?
  var size = 0
  pthread_attr_getstack(&attributes, &start, &size)
  return UInt(bitPattern: start)
}()

func descend(_ depth: Int) -> Int {
  var local = depth
  return withUnsafeMutablePointer(to: &local) { pointer in
    if UInt(bitPattern: pointer) < lowest + 9000 { exit(8) }
    return descend(depth + 1) + pointer.pointee
  }
}
print(descend(0))
