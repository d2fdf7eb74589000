/// The speed at which a log is played.
package struct ReplaySpeed: Equatable, Sendable {
  /// The nanoseconds of the log per nanosecond of the clock, or infinity for as fast as possible.
  package private(set) var factor = 1.0

  static let slowest = 1.0 / 1000
  static let fastest = 1000.0

  package static let max = ReplaySpeed(factor: .infinity)

  package init() {}

  private init(factor: Double) {
    self.factor = factor
  }

  /// Creates a speed from text such as `4x`, `0.5`, `1/8x` or `max`. Returns `nil` for any other
  /// text, or if the speed is more than a thousand times as fast or as slow.
  package init?(_ text: String) {
    if text == "max" {
      self = .max
      return
    }
    let number = text.hasSuffix("x") || text.hasSuffix("X") ? text.dropLast() : text[...]
    let parts = number.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let isPlain = number.allSatisfy { $0.isASCII && ($0.isNumber || $0 == "." || $0 == "/") }
    guard isPlain, let first = parts.first.flatMap({ Double($0) }), parts.count <= 2 else {
      return nil
    }
    var factor = first
    if parts.count == 2 {
      guard let divisor = Double(parts[1]), divisor > 0 else { return nil }
      factor /= divisor
    }
    guard factor >= Self.slowest, factor <= Self.fastest else { return nil }
    self.factor = factor
  }

  /// Doubles or halves the speed. A step away from either limit returns to powers of two.
  package mutating func change(by step: Int) {
    let next = factor * (step > 0 ? 2 : 0.5)
    if step > 0 {
      factor = factor <= Self.slowest ? 1.0 / 512 : min(next, Self.fastest)
    } else {
      factor = factor >= Self.fastest ? 512 : Swift.max(next, Self.slowest)
    }
  }

  /// The speed as text, such as `4x`, `1/8x` or `max`.
  package var text: String {
    if factor == .infinity { return "max" }
    if factor >= 1 { return "\(Self.number(factor))x" }
    let inverse = 1 / factor
    return inverse.rounded() == inverse || abs(inverse - inverse.rounded()) < 1e-9
      ? "1/\(Self.number(inverse.rounded()))x" : "\(Self.number(factor))x"
  }

  private static func number(_ value: Double) -> String {
    value == value.rounded() ? "\(Int(value))" : "\((value * 1000).rounded() / 1000)"
  }
}
