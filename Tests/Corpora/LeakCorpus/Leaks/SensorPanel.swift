import Dispatch
import ReactiveKit

extension LeakCase {
  static let sensorPanel = held(
    "dispatch-specific", lanes: ["sensor.values"], roots: ["SensorBus.queue"],
    path: ["SensorPanel.bag"], holder: ["SensorPanel.bag"], alive: true,
    .now {
      let panel = SensorPanel()
      panel.connect()
      return panel
    })
}

enum SensorBus {
  static let values = PassthroughSubject<Int, Never>()
  static let queue = DispatchQueue(label: "sensor.bus")
  static let panel = DispatchSpecificKey<SensorPanel>()
}

/// A panel that is stored as a value of a queue, and never removed.
final class SensorPanel: @unchecked Sendable {
  private var values: [Int] = []
  private let bag = DisposeBag()

  func connect() {
    SensorBus.values
      .traced("sensor.values")
      .observeNext { [weak self] in self?.values.append($0) }  // observed
      .dispose(in: bag)
    SensorBus.queue.setSpecific(key: SensorBus.panel, value: self)
  }
}
