import ReactiveKit
import Synchronization
import SystemLibrary
import TraceFormat
import TraceShims

/// What the recorder keeps for a thread until the thread ends: its number in the log, the memory for its lines, the space
/// it has taken, and what the thread is doing for traced subscriptions.
///
/// Only its own thread uses it, and no code of a user runs while a line is made in it. Others see the atomics alone.
package struct ThreadContext: ~Copyable {
  /// The recorder that `number` is valid for.
  package var recorder = 0
  package var number = 0
  /// `","thread":2}`, with which the line of an element ends.
  var ending: (low: UInt64, high: UInt64, count: Int) = (0, 0, 0)
  /// The label of the queue that `number` is valid for: a thread of a pool serves many.
  var queue = QueueLabel()
  /// The numbers that the thread has, one for each recorder and queue that it has served, and where they have names.
  var numbers: [(recorder: Int, queue: String?, number: Int, names: ThreadNames)] = []
  package var line = LineBuffer()
  package var text = TextBuffer()
  /// The traced subscription for which the thread is observing upstream now.
  package var observing = TraceToken.none
  /// The traced subscription whose event the thread is delivering now.
  package var delivering = TraceToken.none
  /// The observation that the thread is beginning, as long as no lane has taken it over.
  var beginning: BeginningObservation?
  /// How many calls deep the thread is in code that takes records: what it sends meanwhile is not traced.
  var sinkDepth = 0

  /// The file in which the thread is filling space, or 0. See `LogFile.close`.
  let filling = Atomic<UInt>(0)
  /// The file that `written` counts for, or 0.
  let file = Atomic<UInt>(0)
  /// How many records the thread has put into that file.
  let written = Atomic<Int>(0)
  /// Where those are added when the thread ends or turns to another file.
  var tally: LogFile.Tally?
  /// Space of the thread's own, and when it was taken.
  var chunk: (position: Int, end: Int, time: Int) = (0, 0, 0)
  /// Records since a time, to see whether the thread writes so many that a chunk is worth it.
  var burst: (count: Int, start: Int) = (0, 0)

  /// Whether others know of the thread: from its first record on.
  private var isListed = false

  /// The addresses of the contexts of all living threads that have written a record.
  private final class Threads: Sendable {
    let addresses = Guarded<[UInt]>([])
  }

  /// A child process begins with another one: the lock may be held by a thread that it does not have.
  private static let threads = Replaceable { Threads() }

  /// In a child process, whose only thread is the one that calls this.
  static func beginInChild() {
    let new = Threads()
    if let known = trace_context()?.assumingMemoryBound(to: ThreadContext.self),
      known.pointee.isListed
    {
      new.addresses.withLock { $0 = [UInt(bitPattern: known)] }
    }
    threads.replace(new)
  }

  /// Calls `body` with the context of each thread that has written a record and lives; they stay alive meanwhile, and count
  /// for the files that they do. The same holds for `finally`. False where the list cannot be had until `deadline`.
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

  /// From now on the thread counts for another file, or for none.
  static func turn(
    _ context: UnsafeMutablePointer<ThreadContext>, to tally: LogFile.Tally?, of file: UInt
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

  /// The context of this thread, made at the first call.
  @inline(__always)
  package static var current: UnsafeMutablePointer<ThreadContext> {
    if let known = trace_context() { return known.assumingMemoryBound(to: ThreadContext.self) }
    return makeSlowPath()
  }

  /// Nil where the program has taken all keys that there are: then what a thread has stays when it ends.
  private static let key: pthread_key_t? = {
    var key = pthread_key_t()
    #if canImport(Darwin)
      let code = pthread_key_create(&key) { ThreadContext.end($0) }
    #else
      let code = pthread_key_create(&key) { context in
        if let context { ThreadContext.end(context) }
      }
    #endif
    return code == 0 ? key : nil
  }()

  /// Has what a thread needs made once, while no other thread is in it.
  static func prepare() { _ = (key, current) }

  /// Takes no lock: a signal handler may be the first to come.
  @inline(never)
  private static func makeSlowPath() -> UnsafeMutablePointer<ThreadContext> {
    let context = UnsafeMutablePointer<ThreadContext>.allocate(capacity: 1)
    context.initialize(to: ThreadContext())
    trace_set_context(context)
    // The key only has the system call `end`; the variable is what is read.
    if let key { pthread_setspecific(key, context) }
    return context
  }

  private static func end(_ memory: UnsafeMutableRawPointer) {
    let context = memory.assumingMemoryBound(to: ThreadContext.self)
    trace_set_context(nil)
    turn(context, to: nil, of: 0)
    threads.current.addresses.withLock { $0.removeAll { $0 == UInt(bitPattern: context) } }
    let deadline = LogClock.monotonic() + LogFile.patience
    for known in context.pointee.numbers { known.names.forget(known.number, by: deadline) }
    context.pointee.line.deallocate()
    context.pointee.text.deallocate()
    context.pointee.queue.forget()
    context.deinitialize(count: 1)
    context.deallocate()
  }
}
