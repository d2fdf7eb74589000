import TraceFormat

/// A token that identifies a traced subscription within the process. It holds the subscription's id
/// and the log of that id in one word.
///
/// Chains and threads carry tokens. A token from an earlier log of the process matches nothing in
/// the current log.
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

  private static var ids: Int64 { 1 << idBits - 1 }

  /// Returns the id if it belongs to this recorder.
  func id(in recorder: Recorder) -> Int? {
    let plain = word & .max
    guard plain != 0, plain >> Self.idBits == Int64(recorder.number) else { return nil }
    return Int(plain & Self.ids)
  }

  /// A Boolean value that indicates whether a chain with this token is observed for the whole of
  /// the subscription, which is an observation. See `ChainDisposable.tracedBy`.
  var isWhole: Bool { word < 0 }

  /// This token, for a chain that is observed for the whole of the subscription.
  var whole: TraceToken { TraceToken(word: word | .min) }
}
