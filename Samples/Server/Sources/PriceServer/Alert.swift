/// The event that a client gets when a price has risen above the client's limit.
struct Alert: Encodable, Sendable {
  var price: Price
  /// The prices that led to this one, oldest first.
  var chart: [Price]
}
