import Dispatch
import SystemLibrary
package import ViewerConsole

/// A worker that writes what the user arranged and noted, away from the thread that draws.
package final class ViewSaver: Sendable {
  /// Writes a view.
  ///
  /// - Parameter base: The view when it was last read or written, if it was.
  package typealias Writing = @Sendable (SavedView, _ base: SavedView?) -> SavedView.Written

  private struct State {
    /// The view that was last read or written.
    var base: SavedView?
    /// The latest view, if it couldn't be written.
    var unsaved: SavedView?
    var failure: SavedView.Failure?
    /// The file with the notes of another log.
    var other: String?
  }

  private let writing: Writing?
  private let queue = DispatchQueue(label: "trace-viewer.view")
  private let state: BlockingMutex<State>

  /// Creates the worker.
  ///
  /// - Parameters:
  ///   - view: The view that was read, if any.
  ///   - writing: The closure that writes a view, or `nil` if no view is saved.
  package init(_ view: SavedView?, _ writing: Writing?) {
    state = BlockingMutex(State(base: view))
    self.writing = writing
  }

  /// Writes a view, and posts a message if that fails.
  func save(_ view: SavedView, _ messageQueue: MessageQueue) {
    queue.async {
      self.write(view)
      guard let failure = self.state.withLock({ $0.failure }) else { return }
      messageQueue.post(.said(Notice(text: "not saved: \(failure.reason)", isError: true)))
    }
  }

  /// Writes the last view, or one that couldn't be written before, and waits for that.
  func finish(_ view: SavedView?) {
    queue.sync {
      if let view = view ?? state.withLock({ $0.unsaved }) { write(view) }
    }
  }

  private func write(_ view: SavedView) {
    guard let writing else { return }
    let written = writing(view, state.withLock { $0.base })
    state.withLock { state in
      switch written {
      case .done, .movedOther:
        (state.base, state.unsaved, state.failure) = (view, nil, nil)
        if case .movedOther(let path) = written { state.other = path }
      case .failed(let failure): (state.unsaved, state.failure) = (view, failure)
      }
    }
  }

  // MARK: Results

  /// The file that couldn't be written, if any.
  package var failure: SavedView.Failure? { state.withLock { $0.failure } }

  /// The notes that aren't in the file, because it couldn't be written.
  package var lostNotes: [SavedView.Note] {
    state.withLock { state in
      guard let unsaved = state.unsaved else { return [] }
      let known = state.base?.trace == unsaved.trace ? Set(state.base?.notes ?? []) : []
      return unsaved.notes.filter { !known.contains($0) }
    }
  }

  /// The file that has the notes of another log now, if the file at its former path was replaced.
  package var otherPath: String? { state.withLock { $0.other } }
}
