// Work on several dispatch queues, each of which has a name in the log.
// verdict: clean
// memcheck: yes
// threads: main, images.decode, images.store

import Dispatch
import ReactiveKit
import ReactiveTrace

let decode = DispatchQueue(label: "images.decode")
let store = DispatchQueue(label: "images.store", attributes: .concurrent)
let group = DispatchGroup()
let images = PassthroughSubject<Int, Never>()
let decoded = PassthroughSubject<Int, Never>()
let bag = DisposeBag()

images.lane("images").observeNext { @Sendable image in
  decode.async(group: group) { decoded.send(image * 2) }
}.dispose(in: bag)
decoded.lane("decoded").observeNext { @Sendable image in
  store.async(group: group, flags: .barrier) {
    SafeSignal(just: image).lane("stored").observeNext { @Sendable value in print(value) }.dispose()
  }
}.dispose(in: bag)
for image in 1...5 { images.send(image) }
group.wait()
bag.dispose()
