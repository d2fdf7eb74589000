import ReactiveKit

extension LeakCase {
  static let weatherMast = cycle(
    "share-observers-without-lane", lanes: ["mast.gusts"], path: ["closure", "GustAlarm.bag"],
    also: ["GustAlarm.mast", "WeatherMast.gusts.source"], breaks: "closure",
    .now {
      let mast = WeatherMast()
      let gauge = GustGauge()
      gauge.show(mast)
      let alarm = GustAlarm(mast)
      alarm.arm()
      Anemometer.speeds.send(31)
      gauge.hide()
      Anemometer.speeds.send(44)
      return alarm
    })
}

enum Anemometer {
  static let speeds = PassthroughSubject<Double, Never>()
}

/// A mast that shares its measurements. Only the shared part is on a lane.
final class WeatherMast {
  let gusts = Anemometer.speeds.filter { $0 > 30 }.traced("mast.gusts").share(limit: 1)
}

/// A gauge that observes first, and ends correctly.
final class GustGauge {
  private var needle = 0.0
  private let bag = DisposeBag()

  func show(_ mast: WeatherMast) {
    mast.gusts.observeNext { [weak self] in self?.needle = $0 }.dispose(in: bag)
  }

  func hide() { bag.dispose() }
}

/// An alarm that observes later, with a closure that retains it.
final class GustAlarm {
  private var strongest = 0.0
  private let mast: WeatherMast
  private let bag = DisposeBag()

  init(_ mast: WeatherMast) { self.mast = mast }

  func arm() {
    mast.gusts
      .observeNext { self.strongest = max(self.strongest, $0) }  // observed
      .dispose(in: bag)
  }
}
