import TraceFormat

/// A token that identifies a traced subscription within the process. It contains the subscription's
/// ID and the number of its log in one word. The chain of an observation that isn't traced itself
/// has a token for the place where it was observed.
///
/// Chains and threads carry tokens. A token from an earlier log of the process doesn't match the
/// current log. A place is valid in all logs of the process.
@usableFromInline
package struct TraceToken: Equatable, Sendable {
  private static var idBits: Int64 { 44 }

  let word: Int64

  /// The token that doesn't identify a subscription.
  package static let none = TraceToken(word: 0)

  package init(word: Int64) {
    self.word = word
  }

  /// Creates the token of a subscription.
  ///
  /// - Parameter log: The number of the subscription's recorder.
  init(id: Int, log: Int) {
    word = Int64(log) << Self.idBits | Int64(id) & Self.ids
  }

  /// Creates the token of a chain that was observed at a place and doesn't have a subscription yet.
  init(_ place: PlaceNumber) {
    word = Self.placeBit | Self.generation << Self.idBits | Int64(place.number) & Self.ids
  }

  /// The number of forks that led to this process. A child has its own places.
  private static var generation: Int64 { Int64(ProcessHooks.generation) & 0xFFFF }

  private static var ids: Int64 { 1 << idBits - 1 }
  private static var placeBit: Int64 { 1 << 62 }

  /// A Boolean value that indicates whether the token identifies a subscription.
  var isSubscription: Bool { word != 0 && word & Self.placeBit == 0 }

  /// The place, if the token identifies a place in this process.
  var place: PlaceNumber? {
    guard word > 0, word & Self.placeBit != 0,
      (word & ~Self.placeBit) >> Self.idBits == Self.generation
    else { return nil }
    return PlaceNumber(number: Int(word & Self.ids))
  }

  /// Returns the ID if it belongs to the recorder with the number `log`.
  func id(log: Int) -> Int? {
    let plain = word & .max
    guard plain != 0, plain >> Self.idBits == Int64(log) else { return nil }
    return Int(plain & Self.ids)
  }

  /// A Boolean value that indicates whether a chain with this token is observed for the whole
  /// subscription. See `ChainDisposable.tracedBy`.
  var isWhole: Bool { word < 0 }

  /// This token for a chain that is observed for the whole subscription.
  var whole: TraceToken { TraceToken(word: word | .min) }
}
