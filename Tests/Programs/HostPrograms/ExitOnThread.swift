// A thread that exits while others send events.
// verdict: leak
// exit: 3

import Foundation
import ReactiveKit
import ReactiveTrace

let meters = (0..<4).map { _ in PassthroughSubject<Int, Never>() }
let bag = DisposeBag()
for meter in meters { meter.lane("meter").observeNext { @Sendable _ in }.dispose(in: bag) }
for (number, meter) in meters.enumerated() {
  Thread.detachNewThread {
    var count = 0
    while true {
      meter.send(count)
      count += 1
      if number == 0, count == 2000 { exit(3) }
    }
  }
}
while true { pause() }
