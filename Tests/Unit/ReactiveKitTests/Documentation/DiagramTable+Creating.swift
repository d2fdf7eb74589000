import ReactiveKit
import TestSupport

extension DiagramTable {
  static var creating: [String: Play] {
    [
      "Signal(just: 1)": { _ in SafeSignal(just: 1) },
      "Signal(sequence: 1...3)": { _ in SafeSignal(sequence: 1...3) },
      "Signal.completed()": { _ in SafeSignal<Int>.completed() },
      "Signal.failed(error)": { _ in Signal<Int, TestError>.failed(TestError()) },
      "Signal.never()": { _ in SafeSignal<Int>.never() },
      "Signal(just: 1, after: 3)": { SafeSignal(just: 1, after: 3, scheduler: $0.time) },
      "Signal(sequence: 1...3, interval: 2)": {
        SafeSignal(sequence: 1...3, interval: 2, scheduler: $0.time)
      },
      "Signal(sequence: 1..., interval: 2)": {
        SafeSignal(sequence: 1..., interval: 2, scheduler: $0.time)
      },
      "Future { fetch($0) }": { stage in
        Future<Int, Never> { promise in stage.at(3) { promise(.success(1)) } }
      },
    ]
  }
}
