import OpenCombine
// Nothing of this module is called. It only has to be linked.
import TracedOpenCombine

// A program without lanes, which forgets one of its subscriptions.

final class Prices {
  let numbers = PassthroughSubject<Int, Never>()
  private var cancellables: Set<AnyCancellable> = []

  func start() {
    numbers.map { $0 * 2 }.filter { $0 > 2 }.flatMap { Just($0).map(String.init) }
      .sink { print($0) }
      .store(in: &cancellables)
  }

  func stop() { cancellables = [] }
}

let stopped = Prices()
stopped.start()
stopped.numbers.send(1)
stopped.numbers.send(2)
stopped.stop()

let forgotten = Prices()
forgotten.start()
forgotten.numbers.send(3)

_ = [1, 2, 3].publisher.collect().sink { print($0) }
