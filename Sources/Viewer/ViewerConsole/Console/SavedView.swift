/// What a user arranged and noted in the interactive view of a log.
package struct SavedView: Equatable, Sendable {
  /// A text at a time of the log.
  package struct Note: Hashable, Sendable {
    /// The time in nanoseconds since the start of the log.
    package var time: UInt64
    package var text: String

    package init(time: UInt64, text: String) {
      self.time = time
      self.text = text
    }
  }

  /// A visible range of times, in nanoseconds.
  package struct Window: Equatable, Sendable {
    package var start: UInt64
    package var duration: UInt64

    package init(start: UInt64, duration: UInt64) {
      self.start = start
      self.duration = duration
    }
  }

  /// Where the user was: what is lost without harm.
  package struct Position: Equatable, Sendable {
    package var cursor: UInt64 = 0
    /// The names of the selected lane and of its ancestors, outermost first.
    package var lane: [String] = []
    /// The number of the selected subscription.
    package var subscription: UInt64?
    /// The title of the shown pane.
    package var pane: String?

    package init() {}
  }

  /// The identity of the log, from its header.
  package var trace: String
  package var filter = ""
  package var leaksOnly = false
  package var grouping: String?
  package var order: String?
  /// The names of the lanes that are at the top.
  package var pinned: [String] = []
  package var notes: [Note] = []
  /// The times of up to two marks, in nanoseconds.
  package var marks: [UInt64] = []
  /// The visible range, or `nil` for the whole log.
  package var window: Window?
  package var position = Position()

  package init(trace: String) {
    self.trace = trace
  }

  /// The view without the position.
  package var withoutPosition: SavedView {
    var view = self
    view.position = Position()
    return view
  }

  /// A Boolean value that indicates whether the user arranged or noted anything.
  package var isArranged: Bool { withoutPosition != SavedView(trace: trace) }

  /// Takes over what another viewer changed in the notes of the same log.
  ///
  /// - Parameters:
  ///   - stored: The notes that the other viewer left.
  ///   - base: The notes of this view when it was last read or written.
  package mutating func merge(_ stored: [Note], since base: [Note]) {
    let (others, before, own) = (Set(stored), Set(base), Set(notes))
    notes.removeAll { before.contains($0) && !others.contains($0) }
    notes += stored.filter { !own.contains($0) && !before.contains($0) }
    notes.sort { ($0.time, $0.text) < ($1.time, $1.text) }
  }

  /// The result of writing a view.
  package enum Written: Equatable, Sendable {
    case done
    /// The notes of another log, which were in the file, are in a file with this path now.
    case movedOther(to: String)
    /// The file is as it was.
    case failed(Failure)
  }

  /// The file that wasn't written, and the reason as a sentence.
  package struct Failure: Equatable, Sendable {
    package let path: String
    package let reason: String

    package init(path: String, reason: String) {
      self.path = path
      self.reason = reason
    }
  }
}
