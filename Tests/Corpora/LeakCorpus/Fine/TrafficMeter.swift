import ReactiveKit

extension LeakCase {
  static let trafficMeter = fine(
    "handle-events-unowned", lanes: ["traffic.bytes"],
    .now {
      let meter = TrafficMeter()
      meter.start()
      NetworkCard.bytes.send(1024)
      return meter
    })
}

enum NetworkCard {
  static let bytes = PassthroughSubject<Int, Never>()
}

/// A meter that counts in a side effect, which doesn't retain the meter.
final class TrafficMeter {
  private var bytes = 0
  private let label = Property("")
  private let bag = DisposeBag()

  func start() {
    NetworkCard.bytes
      .traced("traffic.bytes")
      .handleEvents(receiveOutput: { [unowned self] in bytes += $0 })
      .observeNext { [label] in label.value = "\($0) bytes" }  // observed
      .dispose(in: bag)
  }
}
