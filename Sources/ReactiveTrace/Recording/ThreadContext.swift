import ReactiveKit
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What the recorder keeps for a thread until the thread ends: its number in the log, the memory for its lines, and what
/// the thread is doing for traced subscriptions.
///
/// Only its own thread uses it, and no code of a user runs while a line is made in it. Others see `filling` alone.
package struct ThreadContext: ~Copyable {
  /// The recorder that `number` is valid for.
  package var recorder = 0
  package var number = 0
  /// A copy of the label of the queue that `number` is valid for: a thread of a pool serves many.
  var queue: UnsafeMutablePointer<CChar>?
  /// The numbers that the thread has in this log, one for each queue that it has served.
  var numbers: [(queue: String?, number: Int)] = []
  package var line = LineBuffer()
  /// The traced subscription for which the thread is observing upstream now.
  package var observing = TraceToken.none
  /// The traced subscription whose event the thread is delivering now.
  package var delivering = TraceToken.none
  /// The address of the file in which the thread has taken space that it has not yet filled, or 0.
  ///
  /// A plain store for each record, where a counter that all threads share would cost more than the rest of it: an
  /// atomic addition waits for the stores before it, and those went to memory that no cache holds.
  let filling = Atomic<UInt>(0)

  /// The addresses of the contexts of all living threads.
  private static let all = Locked<[UInt]>([])

  /// Whether a thread is filling space in the file that is mapped at `base`.
  static func isAnyFilling(_ base: UnsafeMutableRawPointer) -> Bool {
    all.withLock { addresses in
      addresses.contains { address in
        UnsafePointer<ThreadContext>(bitPattern: address)?.pointee.filling
          .load(ordering: .acquiring) == UInt(bitPattern: base)
      }
    }
  }

  /// Keeps a copy of the label of the queue that runs here.
  mutating func remember(queue label: UnsafePointer<CChar>?) {
    free(queue)
    queue = label.flatMap { strdup($0) }
  }

  /// The context of this thread, made at the first call.
  package static var current: UnsafeMutablePointer<ThreadContext> {
    if let known = pthread_getspecific(key) {
      return known.assumingMemoryBound(to: ThreadContext.self)
    }
    return makeSlowPath()
  }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    #if canImport(Darwin)
      pthread_key_create(&key) { ThreadContext.end($0) }
    #else
      pthread_key_create(&key) { context in
        if let context { ThreadContext.end(context) }
      }
    #endif
    return key
  }()

  @inline(never)
  private static func makeSlowPath() -> UnsafeMutablePointer<ThreadContext> {
    let context = UnsafeMutablePointer<ThreadContext>.allocate(capacity: 1)
    context.initialize(to: ThreadContext())
    pthread_setspecific(key, context)
    all.withLock { $0.append(UInt(bitPattern: context)) }
    return context
  }

  private static func end(_ memory: UnsafeMutableRawPointer) {
    let context = memory.assumingMemoryBound(to: ThreadContext.self)
    all.withLock { $0.removeAll { $0 == UInt(bitPattern: context) } }
    context.pointee.line.deallocate()
    context.pointee.remember(queue: nil)
    context.deinitialize(count: 1)
    context.deallocate()
  }
}
