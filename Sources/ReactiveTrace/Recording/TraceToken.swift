import TraceFormat

/// Names a traced subscription within the process: its id and the log in which that id counts, in one word.
///
/// Chains and threads carry it. One that stems from an earlier log of the process names nobody in the present one.
@usableFromInline
package struct TraceToken: Equatable, Sendable {
  private static var idBits: Int64 { 44 }

  let word: Int64

  /// No subscription.
  package static let none = TraceToken(word: 0)

  package init(word: Int64) {
    self.word = word
  }

  init(id: Int, in recorder: Recorder) {
    word = Int64(recorder.number) << Self.idBits | Int64(id) & Self.ids
  }

  private static var ids: Int64 { 1 << idBits - 1 }

  /// The id, where it is one of this recorder's.
  func id(in recorder: Recorder) -> Int? {
    let plain = word & .max
    guard plain != 0, plain >> Self.idBits == Int64(recorder.number) else { return nil }
    return Int(plain & Self.ids)
  }

  /// Whether a chain that has this token is observed for the whole of that subscription, which is an observation: see
  /// `ChainDisposable.tracedBy`.
  var isWhole: Bool { word < 0 }

  /// The same, for a chain that is observed for the whole of it.
  var whole: TraceToken { TraceToken(word: word | .min) }
}
