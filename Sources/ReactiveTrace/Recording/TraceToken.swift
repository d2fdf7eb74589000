/// Names a traced subscription within the process: its id and the log in which that id counts, in one word.
///
/// Chains and threads carry it. One that stems from an earlier log of the process names nobody in the present one.
@usableFromInline
package struct TraceToken: Equatable, Sendable {
  package let word: Int

  /// No subscription.
  package static let none = TraceToken(word: 0)

  package init(word: Int) {
    self.word = word
  }

  init(id: Int, in recorder: Recorder) {
    word = recorder.number << 44 | id & 0xFFF_FFFF_FFFF
  }

  /// The id, where it is one of this recorder's.
  func id(in recorder: Recorder) -> Int? {
    word != 0 && word >> 44 == recorder.number ? word & 0xFFF_FFFF_FFFF : nil
  }
}
