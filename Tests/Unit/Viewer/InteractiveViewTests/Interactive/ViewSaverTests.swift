import SystemLibrary
import Testing

@testable import InteractiveView
@testable import ViewerConsole

@Suite("ViewSaver")
struct ViewSaverTests {
  private static let failure = SavedView.Failure(path: "a.view.json", reason: "No space.")

  private static func view(_ texts: String...) -> SavedView {
    var view = SavedView(trace: "1")
    view.notes = texts.map { .init(time: 1, text: $0) }
    return view
  }

  /// The calls of the closure that writes, and its results.
  private final class Writer: Sendable {
    private let state: BlockingMutex<(calls: [[SavedView?]], results: [SavedView.Written])>

    init(_ results: SavedView.Written...) { state = BlockingMutex(([], results)) }

    var calls: [[SavedView?]] { state.withLock { $0.calls } }

    func write(_ view: SavedView, _ base: SavedView?) -> SavedView.Written {
      state.withLock { state in
        state.calls.append([view, base])
        return state.results.isEmpty ? .done : state.results.removeFirst()
      }
    }
  }

  @Test("Each view is written with the one that was written before")
  func bases() throws {
    let writer = Writer()
    let queue = try #require(MessageQueue())
    let saver = ViewSaver(Self.view("old"), writer.write)
    saver.save(Self.view("a"), queue)
    saver.finish(Self.view("a", "b"))
    #expect(
      writer.calls == [[Self.view("a"), Self.view("old")], [Self.view("a", "b"), Self.view("a")]])
    #expect(saver.failure == nil && saver.lostNotes == [])
    #expect(queue.take().isEmpty)
  }

  @Test("A view that couldn't be written is reported and written again in the end")
  func failures() throws {
    let writer = Writer(.failed(Self.failure), .failed(Self.failure), .movedOther(to: "b"))
    let queue = try #require(MessageQueue())
    let saver = ViewSaver(Self.view("old"), writer.write)
    saver.save(Self.view("old", "new"), queue)
    saver.finish(nil)
    #expect(saver.failure == Self.failure)
    #expect(saver.lostNotes.map(\.text) == ["new"])
    guard case .said(let notice)? = queue.take().first else {
      Issue.record("The failure wasn't reported.")
      return
    }
    #expect(notice == Notice(text: "not saved: No space.", isError: true))
    saver.finish(nil)
    #expect(saver.failure == nil && saver.lostNotes == [] && saver.otherPath == "b")
    #expect(writer.calls.last == [Self.view("old", "new"), Self.view("old")])
    saver.finish(nil)
    #expect(writer.calls.count == 3)
  }

  @Test("Without a file, nothing is written")
  func none() throws {
    let saver = ViewSaver(nil, nil)
    saver.save(Self.view("a"), try #require(MessageQueue()))
    saver.finish(Self.view("b"))
    #expect(saver.failure == nil && saver.lostNotes == [])
  }
}
