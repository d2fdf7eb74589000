package import TraceFormat

/// The words for what a task does.
package enum WaitWords {
  package static let runs = "runs"
  package static let group = "waits for a child of its group"
  package static let turn = "waits for its turn"
  package static let thread = "waits for a thread"
  /// The words for a task that waits, if it isn't known for what.
  package static let unknown = "is suspended"

  /// Returns the words for a task that waits for a continuation.
  ///
  /// - Parameter pause: What the task does in the meantime, if that is known.
  package static func continuation(_ pause: UnfinishedTask.Pause?) -> String {
    switch pause {
    case .sleep: "sleeps"
    case .stream: "waits for the next element of a stream"
    case .promise: "waits for the result of a promise"
    case .yield: "lets other tasks run"
    case nil: "waits for a continuation"
    }
  }
}
