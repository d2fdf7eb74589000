import ReactiveKit
import ReactiveTrace

extension Lesson {
  static let weather = Lesson(
    name: "WeatherScreen",
    lane: "weather.report",
    mistake: "The disposable is discarded, so nobody can dispose the subscription.",
    cure: "Put the disposable into a bag of the screen.",
    leaky: {
      let screen = WeatherScreen()
      screen.open()
      WeatherStation.reports.send("rain")
    },
    cured: {
      let screen = CuredWeatherScreen()
      screen.open()
      WeatherStation.reports.send("rain")
    })
}

private enum WeatherStation {
  static let reports = PassthroughSubject<String, Never>()
}

/// A screen with the newest report.
private final class WeatherScreen {
  private var report = ""

  func open() {
    _ = WeatherStation.reports
      .lane("weather.report")
      .observeNext { [weak self] in self?.report = $0 }  // observed
  }
}

private final class CuredWeatherScreen {
  private var report = ""
  private let bag = DisposeBag()

  func open() {
    WeatherStation.reports
      .lane("weather.report")
      .observeNext { [weak self] in self?.report = $0 }
      .dispose(in: bag)
  }
}
