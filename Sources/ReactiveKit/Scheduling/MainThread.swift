#if canImport(Darwin)
  import Darwin
#elseif canImport(Foundation)
  import Foundation
#endif

/// A check for the thread that the process began with.
enum MainThread {
  static var isCurrent: Bool {
    #if canImport(Darwin)
      pthread_main_np() != 0
    #elseif canImport(Foundation)
      // Foundation provides the answer, because the C library's `gettid` is not visible to Swift.
      Thread.isMainThread
    #else
      false
    #endif
  }
}
