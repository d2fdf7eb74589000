import ReactiveKit
import Synchronization

/// Writes the records of one log.
package final class Recorder: Sendable {
  package let identity: LogIdentity
  package let options: Trace.Options
  let clock: LogClock
  let file: LogFile
  /// The numbers of subscriptions and scopes.
  let subscriptions = Counter()
  let scopes = Counter()

  /// Tells the threads of this log from those of another: a thread keeps its number with it.
  private let number: Int
  private let threads = Atomic<Int>(LogFormat.mainThread)
  private static let recorders = Counter()

  /// Opens the log and writes its header.
  package init(
    path: String, options: Trace.Options = Trace.Options(), identity: LogIdentity = .current(),
    clock: LogClock = LogClock()
  ) throws(TraceError) {
    self.identity = identity
    self.options = options
    self.clock = clock
    number = Self.recorders.next()
    let resolved = LogPath.resolve(path, identity)
    file = try LogFile(path: resolved, header: HeaderLine.bytes(identity))
  }

  package var path: String { file.path }

  /// Whether records are taken; false for ever once `finish` was called.
  package var isOpen: Bool { file.isOpen }

  /// Writes `end` and closes the file; a second call does nothing.
  package func finish() {
    file.close { tally, publish in
      var line = LineBuffer()
      defer { line.deallocate() }
      var records = tally.records
      if tally.lost > 0 {
        line.begin(at: clock.now, EncodedEvent(.lost))
        line.integer(EncodedKey(.count), tally.lost)
        line.text(EncodedKey(.reason), tally.reason ?? "unknown", limit: 128)
        line.end()
        publish(line)
        records += 1
      }
      line.begin(at: clock.now, EncodedEvent(.end))
      line.integer(EncodedKey(.records), records)
      line.integer(EncodedKey(.lost), tally.lost)
      line.end()
      publish(line)
    }
  }

  /// The context of the calling thread, with its number in this log; the first time the thread's name is written.
  @inline(__always)
  func thread() -> UnsafeMutablePointer<ThreadContext> {
    let context = ThreadContext.current
    if context.pointee.recorder != number { introduceSlowPath(context) }
    return context
  }

  @inline(never)
  private func introduceSlowPath(_ context: UnsafeMutablePointer<ThreadContext>) {
    let isMain = ThreadName.isMain
    let thread =
      isMain
      ? LogFormat.mainThread : threads.wrappingAdd(1, ordering: .relaxed).newValue
    let name = isMain ? "main" : ThreadName.current ?? "thread \(thread)"
    context.pointee.line.begin(at: clock.now, EncodedEvent(.thread))
    context.pointee.line.integer(.thread, thread)
    context.pointee.line.text(.name, name)
    write(context)
    context.pointee.recorder = number
    context.pointee.number = thread
  }

  /// Ends the line and writes it.
  @inline(__always)
  func write(_ thread: UnsafeMutablePointer<ThreadContext>) {
    thread.pointee.line.end()
    if let space = file.reserve(for: thread) { file.fill(space, from: thread) }
  }
}
