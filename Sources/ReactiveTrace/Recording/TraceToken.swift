import TraceFormat

/// A token that identifies a traced subscription within the process. It holds the subscription's id
/// and the log of that id in one word. The chain of an observation that is not traced itself has a
/// token for the place where it was observed.
///
/// Chains and threads carry tokens. A token from an earlier log of the process matches nothing in
/// the current log. A place is valid in all logs of the process.
@usableFromInline
package struct TraceToken: Equatable, Sendable {
  private static var idBits: Int64 { 44 }

  let word: Int64

  /// The token for no subscription.
  package static let none = TraceToken(word: 0)

  package init(word: Int64) {
    self.word = word
  }

  init(id: Int, in recorder: Recorder) {
    word = Int64(recorder.number) << Self.idBits | Int64(id) & Self.ids
  }

  /// Creates the token of a chain that was observed at a place and has no subscription yet.
  init(_ place: ObservedPlace) {
    word = Self.placeBit | Self.generation << Self.idBits | Int64(place.number) & Self.ids
  }

  /// The number of the process among its forked parents. A child has places of its own.
  private static var generation: Int64 { Int64(ProcessHooks.generation) & 0xFFFF }

  private static var ids: Int64 { 1 << idBits - 1 }
  private static var placeBit: Int64 { 1 << 62 }

  /// A Boolean value that indicates whether the token names a subscription.
  var isSubscription: Bool { word != 0 && word & Self.placeBit == 0 }

  /// The place, if the token names one of this process.
  var place: ObservedPlace? {
    guard word > 0, word & Self.placeBit != 0,
      (word & ~Self.placeBit) >> Self.idBits == Self.generation
    else { return nil }
    return ObservedPlace(number: Int(word & Self.ids))
  }

  /// Returns the id if it belongs to this recorder.
  func id(in recorder: Recorder) -> Int? {
    let plain = word & .max
    guard plain != 0, plain >> Self.idBits == Int64(recorder.number) else { return nil }
    return Int(plain & Self.ids)
  }

  /// A Boolean value that indicates whether a chain with this token is observed for the whole of
  /// the subscription. See `ChainDisposable.tracedBy`.
  var isWhole: Bool { word < 0 }

  /// This token, for a chain that is observed for the whole of the subscription.
  var whole: TraceToken { TraceToken(word: word | .min) }
}
