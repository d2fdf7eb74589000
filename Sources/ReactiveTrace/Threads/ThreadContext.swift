import CRuntime.OwnProcess
import ReactiveKit
import Synchronization
import SystemLibrary
import TraceFormat

/// The recorder's data for a thread until the thread ends: its number in the log, the memory for
/// its lines, the space it has taken, and its current work for traced subscriptions.
///
/// Only its own thread uses the data, and user code never runs while a line is made in it. Other
/// threads only access the atomics.
///
/// It consists of parts that belong to other folders, which only access their own part.
package struct ThreadContext: ~Copyable {
  /// The thread's space in the file. It must come first. See `WritingThread.known`.
  private var file = WritingThread()
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
  /// The sources that the thread has observed for the subscription in `observing`.
  var sources = ObservedSources()
  /// The locations where the thread observed most recently.
  var places = PlaceCache()
  /// The address of the observation that the thread is beginning, or 0. The folder `Recording`
  /// gives it a type.
  var beginningAddress: UInt = 0
  /// The subscription of the task that the thread is making, if it has one before it begins. The
  /// folder `Tasks` gives it a type.
  var startingTask: AnyObject?
  /// The current depth of calls into sinks. Events sent at a depth above 0 aren't traced.
  var sinkDepth = 0

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
    // A signal handler that interrupts the allocator in here would wait for its lock forever.
    var (all, before) = (sigset_t(), sigset_t())
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    // A handler may have made the context before the signals were blocked.
    if let known = trace_context() { return known.assumingMemoryBound(to: ThreadContext.self) }
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
    WritingThread.end(context.writing)
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

extension UnsafeMutablePointer where Pointee == ThreadContext {
  /// The part of the context for writing to files.
  @inline(__always)
  var writing: WritingThread.Pointer {
    UnsafeMutableRawPointer(self).assumingMemoryBound(to: WritingThread.self)
  }
}

extension PlaceTable {
  /// Returns the place of the code that calls the caller of this function. See `here(_:)`.
  @inline(__always)
  func here() -> PlaceNumber { here(&ThreadContext.current.pointee.places) }
}

extension ObservationLocations {
  /// Returns the place of the code that calls the caller of this function. See `PlaceTable.here`.
  @inline(__always)
  package func here() -> PlaceNumber { table.here() }
}

extension ValueWriter {
  /// Writes the text of an element to the thread's buffer.
  @usableFromInline
  func write(_ element: Element, to thread: UnsafeMutableRawPointer) {
    write(element, to: &thread.assumingMemoryBound(to: ThreadContext.self).pointee.text)
  }
}
