import CRuntime.OwnProcess
import SystemLibrary
import TraceFormat

/// The identity of the calling thread. It is requested once for each thread and queue of a log, so
/// a few system calls are acceptable.
package enum ThreadName {
  /// A Boolean value that is true on the main thread and on the main queue. With `dispatchMain()`
  /// on Linux, other threads serve the main queue.
  package static var isMain: Bool {
    queueLabel == mainQueue || isMainThread
  }

  /// A Boolean value that is true on the first thread of the process.
  private static var isMainThread: Bool {
    #if canImport(Darwin)
      pthread_main_np() != 0
    #else
      // The link's target is like `4242/task/4250`. The C library's gettid isn't visible to Swift.
      firstLine("/proc/thread-self", isLink: true).map { link in
        let parts = link.split(separator: "/")
        return parts.first == parts.last
      } ?? false
    #endif
  }

  private static let mainQueue = "com.apple.main-thread"

  /// The label that libdispatch returns on a thread that doesn't serve a queue.
  private static let noQueue = "com.apple.root.default-qos.overcommit"

  /// The label of the dispatch queue that this thread serves, if there is one.
  static var queueLabel: String? {
    guard let label = label(by: labelOfQueue), label.pointee != 0 else { return nil }
    let text = String(cString: label)
    return text == noQueue ? nil : text
  }

  #if canImport(Darwin)
    typealias Label = Void

    static let labelOfQueue: Label = ()

    @inline(__always)
    static func label(by _: Label) -> UnsafePointer<CChar>? {
      __dispatch_queue_get_label(nil)
    }
  #else
    typealias Label = (@convention(c) @Sendable (OpaquePointer?) -> UnsafePointer<CChar>?)?

    // The function exists in libdispatch, but its Swift overlay hides it on Linux. It is nil before
    // libdispatch is initialized.
    static var labelOfQueue: Label {
      trace_queue_label().map {
        unsafeBitCast(
          $0, to: (@convention(c) @Sendable (OpaquePointer?) -> UnsafePointer<CChar>?).self)
      }
    }

    @inline(__always)
    static func label(by function: Label) -> UnsafePointer<CChar>? {
      function?(nil)
    }
  #endif

  /// The name that was given to the thread.
  static var threadName: String? {
    #if canImport(Darwin)
      var name = [CChar](repeating: 0, count: 64)
      guard pthread_getname_np(pthread_self(), &name, name.count) == 0 else { return nil }
      let text = SystemError.text(name)
      return text.isEmpty ? nil : text
    #else
      // A thread without its own name has the name of the process, which isn't useful.
      guard let name = firstLine("/proc/thread-self/comm"), name != firstLine("/proc/self/comm")
      else { return nil }
      // A thread created by a thread in libdispatch's pool inherits its name, which is the end of a
      // root queue's label.
      return name.hasSuffix("-qos") || name.hasSuffix("-qos.overcommit") ? nil : name
    #endif
  }

  #if !canImport(Darwin)
    private static func firstLine(_ path: String, isLink: Bool = false) -> String? {
      if isLink {
        var text = [CChar](repeating: 0, count: 128)
        guard readlink(path, &text, text.count - 1) > 0 else { return nil }
        return SystemError.text(text)
      }
      return OwnDescriptor.bytes(of: path, upTo: 127).map { text in
        String(decoding: text.prefix { $0 != UInt8(ascii: "\n") && $0 != 0 }, as: UTF8.self)
      }
    }
  #endif
}
