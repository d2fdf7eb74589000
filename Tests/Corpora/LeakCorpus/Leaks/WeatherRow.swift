import ReactiveKit

extension LeakCase {
  static let weatherRow = held(
    "discarded", lanes: ["weather.reports"], roots: ["WeatherService.shared"],
    also: ["WeatherService.reports"], holder: ["discarded"], alive: false,
    .now {
      let row = WeatherRow()
      WeatherService.shared.reports.send("sunny")
      return row
    })
}

final class WeatherService: Sendable {
  static let shared = WeatherService()

  let reports = PassthroughSubject<String, Never>()
}

/// A row that is deallocated, but leaves its subscription behind.
final class WeatherRow {
  private var text = ""

  init() {
    _ = WeatherService.shared.reports
      .traced("weather.reports")
      .observeNext { [weak self] in self?.text = $0 }  // observed
  }
}
