import ReactiveKit

extension LeakCase {
  static let batteryPanel = cycle(
    "merge-of-shared", lanes: ["battery.alerts"], upstream: ["battery.low", "battery.hot"],
    path: ["closure", "BatteryPanel.bag"], breaks: "closure",
    .now {
      let panel = BatteryPanel()
      panel.open()
      BatterySensor.charge.send(3)
      BatterySensor.heat.send(80)
      return panel
    })
}

enum BatterySensor {
  static let charge = PassthroughSubject<Int, Never>()
  static let heat = PassthroughSubject<Int, Never>()
}

/// A panel that merges two shared signals, and observes them with a closure that retains it.
final class BatteryPanel {
  private var alerts: [String] = []
  private let bag = DisposeBag()

  func open() {
    let low = BatterySensor.charge.map { "charge \($0)" }.traced("battery.low").share(limit: 1)
    let hot = BatterySensor.heat.map { "heat \($0)" }.traced("battery.hot").share(limit: 1)
    low.merge(with: hot)
      .traced("battery.alerts")
      .observeNext { self.alerts.append($0) }  // observed
      .dispose(in: bag)
  }
}
