// A timer on the main run loop.
// verdict: clean

import Foundation
import ReactiveKit
import ReactiveTrace

let ticks = PassthroughSubject<Int, Never>()
let count = Property(0)
let bag = DisposeBag()
ticks.lane("ticks").observeNext { print($0) }.dispose(in: bag)
ticks.scan(0) { count, _ in count + 1 }.lane("count").bind(to: count).dispose(in: bag)
let timer = Timer(timeInterval: 0.001, repeats: true) { timer in
  ticks.send(1)
  if count.value == 3 { timer.invalidate() }
}
RunLoop.main.add(timer, forMode: .default)
while count.value < 3 {
  _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.01))
}
bag.dispose()
