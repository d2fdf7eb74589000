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
  let number: Int
  private let threads = Atomic<Int>(LogFormat.mainThread)
  private let isMainNamed = Locked(false)
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

  /// The context of the calling thread, with its number in this log. A thread that serves several queues has a number for
  /// each; the first time, its name is written.
  @inline(__always)
  func thread() -> UnsafeMutablePointer<ThreadContext> {
    let context = ThreadContext.current
    if context.pointee.recorder != number || !ThreadName.isQueue(context.pointee.queue) {
      introduceSlowPath(context)
    }
    return context
  }

  @inline(never)
  private func introduceSlowPath(_ context: UnsafeMutablePointer<ThreadContext>) {
    if context.pointee.recorder != number { context.pointee.numbers = [] }
    context.pointee.recorder = number
    context.pointee.remember(queue: ThreadName.label())
    let queue = ThreadName.queueLabel
    if let known = context.pointee.numbers.first(where: { $0.queue == queue }) {
      context.pointee.number = known.number
      return
    }
    if ThreadName.isMain {
      context.pointee.number = LogFormat.mainThread
      // Several threads may serve the main queue. The lock keeps them from using the number before it has its name.
      isMainNamed.withLock { isNamed in
        if !isNamed { announce(LogFormat.mainThread, as: "main", context) }
        isNamed = true
      }
    } else {
      let new = threads.wrappingAdd(1, ordering: .relaxed).newValue
      context.pointee.number = new
      announce(new, as: queue ?? ThreadName.threadName ?? "thread \(new)", context)
    }
    if context.pointee.numbers.count == 64 { context.pointee.numbers.removeFirst() }
    context.pointee.numbers.append((queue, context.pointee.number))
  }

  private func announce(
    _ number: Int, as name: String, _ context: UnsafeMutablePointer<ThreadContext>
  ) {
    context.pointee.line.begin(at: clock.now, EncodedEvent(.thread))
    context.pointee.line.integer(.thread, number)
    context.pointee.line.text(.name, name)
    write(context)
  }

  /// Ends the line and writes it.
  @inline(__always)
  func write(_ thread: UnsafeMutablePointer<ThreadContext>) {
    thread.pointee.line.end()
    if let space = file.reserve(for: thread) { file.fill(space, from: thread) }
  }
}
