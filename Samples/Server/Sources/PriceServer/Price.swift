import Hummingbird

/// The price of a symbol at a tick of the market.
struct Price: ResponseEncodable, Sendable {
  var symbol: String
  var tick: Int
  var cents: Int
}

extension Price: CustomStringConvertible {
  /// The text of a price in the log.
  var description: String { "\(symbol) \(cents) at \(tick)" }
}
