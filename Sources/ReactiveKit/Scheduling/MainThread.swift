#if canImport(Darwin)
  import Darwin
#elseif canImport(Foundation)
  import Foundation
#endif

/// Knows whether the caller is on the thread that the process began with.
enum MainThread {
  static var isCurrent: Bool {
    #if canImport(Darwin)
      pthread_main_np() != 0
    #elseif canImport(Foundation)
      // Foundation knows: the C library's gettid is not visible to Swift.
      Thread.isMainThread
    #else
      false
    #endif
  }
}
