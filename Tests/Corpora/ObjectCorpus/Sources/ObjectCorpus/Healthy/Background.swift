import Foundation

enum Background {
  static let isReady = DispatchSemaphore(value: 0)

  /// Runs a function on a new thread, and waits until it signals that it is ready.
  static func run(_ body: @escaping @Sendable (_ ready: DispatchSemaphore) -> Void) {
    let ready = DispatchSemaphore(value: 0)
    Thread.detachNewThread { body(ready) }
    ready.wait()
  }

  /// Starts a thread of the C library, whose function gets a pointer and never returns.
  static func start(_ context: UnsafeMutableRawPointer, _ body: Body) {
    #if os(Linux)
      var thread = pthread_t()
    #else
      var thread: pthread_t?
    #endif
    pthread_create(&thread, nil, body, context)
  }

  #if os(Linux)
    typealias Body = @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
  #else
    typealias Body = @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?
  #endif

  /// Makes keys without a destructor for values of threads.
  static func makeKeys(_ count: Int) -> [pthread_key_t] {
    (0..<count).map { _ in
      var key = pthread_key_t()
      pthread_key_create(&key, nil)
      return key
    }
  }
}
