import ReactiveKit
import Synchronization

/// One traced subscription: writes its `subscribe` when made, its elements, and exactly one end whoever races.
///
/// Nothing is written after the end. Being freed writes nothing: the operator says when `released` is.
package final class TracedSubscription: Sendable {
  package let id: Int
  package let recorder: Recorder
  private let file: LogFile
  /// `,"sub":1,"lane":"search.results"`, which all records but `next` have after their event.
  let place: EncodedPart
  /// Whether the end was written. Whoever takes space for a record holds this lock, so the end is the last in the file.
  private let end = Locked<Bool>(false)
  /// The same without the lock, to spare a description that would not be written.
  private let isOver = Atomic<Bool>(false)

  package init(
    recorder: Recorder, lane: String, operator: LogFormat.Operator, source: String,
    function: String, type: String, parent: Int? = nil, cause: Int? = nil, scope: Int? = nil,
    lifetimeIsProcess: Bool = false
  ) {
    let time = recorder.clock.now
    let id = recorder.subscriptions.next()
    self.id = id
    self.recorder = recorder
    file = recorder.file
    let thread = recorder.thread()
    place = thread.pointee.line.encode { line in
      line.integer(.sub, id)
      line.text(.lane, lane)
    }
    thread.pointee.line.begin(at: time, .subscribe)
    thread.pointee.line.part(place)
    thread.pointee.line.integer(.thread, thread.pointee.number)
    thread.pointee.line.text(.op, `operator`.rawValue)
    thread.pointee.line.text(.source, source)
    thread.pointee.line.text(.function, function)
    thread.pointee.line.text(.type, type)
    if let parent { thread.pointee.line.integer(.parent, parent) }
    if let cause { thread.pointee.line.integer(.cause, cause) }
    if let scope { thread.pointee.line.integer(.scope, scope) }
    if lifetimeIsProcess {
      thread.pointee.line.text(.lifetime, LogFormat.Lifetime.process.rawValue)
    }
    recorder.write(thread)
  }

  package var hasEnded: Bool { isOver.load(ordering: .relaxed) }

  /// Writes an element. Its text is made only where it is written, outside any lock.
  package func next(_ text: @autoclosure () -> String) {
    guard !hasEnded, file.isOpen else { return }
    let time = recorder.clock.now
    let text = text()
    let thread = recorder.thread()
    thread.pointee.line.begin(at: time, .next)
    thread.pointee.line.part(place)
    thread.pointee.line.text(.value, text, limit: recorder.options.valueLimit)
    thread.pointee.line.integer(.thread, thread.pointee.number)
    write(thread, isEnd: false)
  }

  /// Writes that a debugger is about to be entered, at `subscribe`, `next` or `completion`.
  package func breakpoint(on moment: String, _ text: @autoclosure () -> String?) {
    guard !hasEnded, file.isOpen else { return }
    let time = recorder.clock.now
    let text = text()
    let thread = recorder.thread()
    thread.pointee.line.begin(at: time, .breakpoint)
    thread.pointee.line.part(place)
    if let text {
      thread.pointee.line.text(.value, text, limit: recorder.options.valueLimit)
    }
    thread.pointee.line.integer(.thread, thread.pointee.number)
    thread.pointee.line.text(.on, moment)
    write(thread, isEnd: false)
  }

  package func completed() { finish(.completed, error: nil) }

  package func failed(_ errorText: String) { finish(.failed, error: errorText) }

  package func disposed() { finish(.disposed, error: nil) }

  package func released() { finish(.released, error: nil) }

  private func finish(_ event: EncodedEvent, error: String?) {
    guard !hasEnded else { return }
    guard file.isOpen else { return isOver.store(true, ordering: .relaxed) }
    let time = recorder.clock.now
    let thread = recorder.thread()
    thread.pointee.line.begin(at: time, event)
    thread.pointee.line.part(place)
    if let error { thread.pointee.line.text(.error, error) }
    thread.pointee.line.integer(.thread, thread.pointee.number)
    write(thread, isEnd: true)
  }

  /// Takes space under the lock, which orders this record and the end; fills it after.
  @inline(__always)
  private func write(_ thread: UnsafeMutablePointer<ThreadContext>, isEnd: Bool) {
    thread.pointee.line.end()
    let space: Int? = end.withLock { isOver in
      if isOver { return nil }
      if isEnd {
        isOver = true
        self.isOver.store(true, ordering: .relaxed)
      }
      return file.reserve(for: thread)
    }
    if let space { file.fill(space, from: thread) }
  }
}
