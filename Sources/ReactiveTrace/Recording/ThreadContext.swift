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
/// Only its own thread ever sees it, and no code of a user runs while a line is made in it.
package struct ThreadContext {
  /// The recorder that `number` is valid for.
  package var recorder = 0
  package var number = 0
  package var line = LineBuffer()
  /// The traced subscription for which the thread is observing upstream now.
  package var observing = TraceToken.none
  /// The traced subscription whose event the thread is delivering now.
  package var delivering = TraceToken.none

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
      pthread_key_create(&key) { ThreadContext.free($0) }
    #else
      pthread_key_create(&key) { context in
        if let context { ThreadContext.free(context) }
      }
    #endif
    return key
  }()

  @inline(never)
  private static func makeSlowPath() -> UnsafeMutablePointer<ThreadContext> {
    let context = UnsafeMutablePointer<ThreadContext>.allocate(capacity: 1)
    context.initialize(to: ThreadContext())
    pthread_setspecific(key, context)
    return context
  }

  private static func free(_ memory: UnsafeMutableRawPointer) {
    let context = memory.assumingMemoryBound(to: ThreadContext.self)
    context.pointee.line.deallocate()
    context.deinitialize(count: 1)
    context.deallocate()
  }
}
