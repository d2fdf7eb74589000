package import ElementText
import HostSafety
import ReactiveKit
import Synchronization
import SystemLibrary
import TraceFormat
import TraceShims

/// The recorder's data for a thread until the thread ends: its number in the log, the memory for
/// its lines, the space it has taken, and its current work for traced subscriptions.
///
/// Only its own thread uses the data, and user code never runs while a line is made in it. Other
/// threads only access the atomics.
package struct ThreadContext: ~Copyable {
  /// The recorder for which `number` is valid.
  package var recorder = 0
  package var number = 0
  /// The end of an element's line, `","thread":2}`.
  var ending: (low: UInt64, high: UInt64, count: Int) = (0, 0, 0)
  /// The label of the queue for which `number` is valid. A thread in a pool serves many queues.
  var queue = QueueLabel()
  /// The numbers of the thread, one for each recorder and queue that it has served, with the
  /// objects that contain their names.
  var numbers: [(recorder: Int, queue: String?, number: Int, names: ThreadNames)] = []
  package var line = LineBuffer()
  package var text = TextBuffer()
  /// The traced subscription for which the thread is now observing upstream.
  package var observing = TraceToken.none
  /// The traced subscription whose event the thread is now delivering.
  package var delivering = TraceToken.none
  /// The locations where the thread observed most recently.
  var places = PlaceCache()
  /// The observation that the thread is beginning, if any.
  var beginning: BeginningObservation?
  /// The current depth of calls into sinks. Events sent at a depth above 0 aren't traced.
  var sinkDepth = 0

  /// The file in which the thread is filling space, or 0. See `LogFile.close`.
  let filling = Atomic<UInt>(0)
  /// The file to which `written` applies, or 0.
  let file = Atomic<UInt>(0)
  /// The number of records that the thread has written to that file.
  let written = Atomic<Int>(0)
  /// The tally that receives the number of records when the thread ends or switches to another
  /// file.
  var tally: FileWriters.Tally?
  /// The file space that belongs to the thread, and the time when it was taken.
  var chunk: (position: Int, end: Int, time: Int) = (0, 0, 0)
  /// The number of records since a time, used to check whether the thread writes enough records for
  /// a chunk.
  var burst: (count: Int, start: Int) = (0, 0)

  /// A Boolean value that indicates whether the thread is in the list of threads. It is from its
  /// first record on.
  private var isListed = false

  /// The addresses of the contexts of all living threads that have written a record.
  private final class Threads: Sendable {
    let addresses = Guarded<[UInt]>([])
  }

  /// The list of threads. A child process starts with a new list, because the old list's lock can
  /// be held by a thread that doesn't exist in the child.
  private static let threads = Replaceable { Threads() }

  /// Replaces the list in a child process, whose only thread is the calling thread.
  static func beginInChild() {
    let new = Threads()
    if let known = trace_context()?.assumingMemoryBound(to: ThreadContext.self),
      known.pointee.isListed
    {
      new.addresses.withLock { $0 = [UInt(bitPattern: known)] }
    }
    threads.replace(new)
  }

  /// Calls `body` with the context of each living thread that has written a record. During the
  /// calls, and during `finally`, these threads stay alive and don't switch to another file.
  /// Returns false if the list isn't available until `deadline`.
  static func forEach(
    until deadline: Int, _ body: (UnsafePointer<ThreadContext>) -> Void, finally: () -> Void = {}
  ) -> Bool {
    threads.current.addresses.withLock(until: deadline) { addresses in
      addresses.visitInPlace { address in
        if let context = UnsafePointer<ThreadContext>(bitPattern: address) { body(context) }
      }
      finally()
      return true
    } ?? false
  }

  /// Makes the thread count its records for another file, or for no file if `tally` is nil.
  static func turn(
    _ context: UnsafeMutablePointer<ThreadContext>, to tally: FileWriters.Tally?, of file: UInt
  ) {
    threads.current.addresses.withLock { addresses in
      if !context.pointee.isListed {
        context.pointee.isListed = true
        addresses.append(UInt(bitPattern: context))
      }
      context.pointee.tally?.retire(context.pointee.written.load(ordering: .relaxed))
      context.pointee.written.store(0, ordering: .relaxed)
      context.pointee.file.store(file, ordering: .relaxed)
      context.pointee.tally = tally
    }
    context.pointee.chunk = (0, 0, 0)
    context.pointee.burst = (0, 0)
  }

  /// The context of this thread, created at the first call.
  @inline(__always)
  package static var current: UnsafeMutablePointer<ThreadContext> {
    if let known = trace_context() { return known.assumingMemoryBound(to: ThreadContext.self) }
    return makeSlowPath()
  }

  /// The key for thread data, or nil if the program has used up all keys. Without a key, the data
  /// of a thread isn't deallocated when the thread ends.
  private static let key: pthread_key_t? = {
    guard let first = newKey() else { return nil }
    guard first == 0 else { return first }
    // Key 0 isn't used, because other code can use a variable for a key, which is still 0, before
    // it creates the key.
    defer { pthread_key_delete(first) }
    return newKey()
  }()

  private static func newKey() -> pthread_key_t? {
    var key = pthread_key_t()
    let code = pthread_key_create(&key) { _ in ThreadContext.end() }
    return code == 0 ? key : nil
  }

  /// Creates the static values that a thread needs. See `WarmUp`.
  static func prepare() { _ = (key, current) }

  /// Creates the context of this thread. This doesn't take a lock, because a signal handler can
  /// make the first call.
  @inline(never)
  private static func makeSlowPath() -> UnsafeMutablePointer<ThreadContext> {
    let context = UnsafeMutablePointer<ThreadContext>.allocate(capacity: 1)
    context.initialize(to: ThreadContext())
    trace_set_context(context)
    // The key only causes the system to call `end`. All reads use the thread-local variable.
    if let key { pthread_setspecific(key, context) }
    return context
  }

  /// Deallocates the context of this thread when the thread ends. The value of the key isn't used,
  /// because other code can overwrite it.
  private static func end() {
    guard let context = trace_context()?.assumingMemoryBound(to: ThreadContext.self) else { return }
    trace_set_context(nil)
    turn(context, to: nil, of: 0)
    threads.current.addresses.withLock { $0.removeAll { $0 == UInt(bitPattern: context) } }
    let deadline = LogClock.monotonic() + LogFile.patience
    for known in context.pointee.numbers { known.names.forget(known.number, by: deadline) }
    context.pointee.line.deallocate()
    context.pointee.text.deallocate()
    context.pointee.places.deallocate()
    context.pointee.queue.forget()
    context.deinitialize(count: 1)
    context.deallocate()
  }
}
