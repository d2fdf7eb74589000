import ReactiveKit

extension LeakCase {
  static let temperatureConverter = cycle(
    "bind-both-ways", lanes: ["converter.celsius", "converter.fahrenheit"],
    path: ["closure"],
    also: ["TemperatureConverter.celsius", "TemperatureConverter.fahrenheit"], breaks: "closure",
    .now {
      let converter = TemperatureConverter()
      converter.celsius.value = 30
      return converter
    })
}

/// A converter with two fields that follow each other.
final class TemperatureConverter {
  let celsius = Property(0)
  let fahrenheit = Property(32)
  private let offset = 32

  init() {
    celsius
      .traced("converter.celsius")
      .map { $0 * 9 / 5 + self.offset }
      .removeDuplicates()
      .bind(to: fahrenheit)  // observed
    fahrenheit
      .traced("converter.fahrenheit")
      .map { ($0 - self.offset) * 5 / 9 }
      .removeDuplicates()
      .bind(to: celsius)  // observed
  }
}
