#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
  import Dispatch
#endif

/// Who the calling thread is. Asked once for each thread of a log, so it may cost a few system calls.
package enum ThreadName {
  /// Whether this is the thread that the process began with.
  package static var isMain: Bool {
    #if canImport(Darwin)
      pthread_main_np() != 0
    #else
      // The link reads `4242/task/4250`; the C library's gettid is not visible to Swift.
      firstLine("/proc/thread-self", isLink: true).map { link in
        let parts = link.split(separator: "/")
        return parts.first == parts.last
      } ?? false
    #endif
  }

  /// The label of the dispatch queue that runs here, else the name of the thread, else nil.
  package static var current: String? {
    queueLabel ?? threadName
  }

  /// What libdispatch says on any thread that runs no queue.
  private static let noQueue = "com.apple.root.default-qos.overcommit"

  private static var queueLabel: String? {
    guard let label = label(), label.pointee != 0 else { return nil }
    let text = String(cString: label)
    return text == noQueue ? nil : text
  }

  private static func label() -> UnsafePointer<CChar>? {
    #if canImport(Darwin)
      __dispatch_queue_get_label(nil)
    #else
      // The function exists in libdispatch, but its Swift overlay hides it on Linux.
      typealias Label = @convention(c) (OpaquePointer?) -> UnsafePointer<CChar>?
      return dlsym(nil, "dispatch_queue_get_label").flatMap { symbol in
        unsafeBitCast(symbol, to: Label.self)(nil)
      }
    #endif
  }

  private static var threadName: String? {
    #if canImport(Darwin)
      var name = [CChar](repeating: 0, count: 64)
      guard pthread_getname_np(pthread_self(), &name, name.count) == 0 else { return nil }
      let text = CText.string(name)
      return text.isEmpty ? nil : text
    #else
      // A thread without a name of its own has that of the process, which says nothing.
      let name = firstLine("/proc/thread-self/comm")
      return name == firstLine("/proc/self/comm") ? nil : name
    #endif
  }

  #if !canImport(Darwin)
    private static func firstLine(_ path: String, isLink: Bool = false) -> String? {
      var text = [CChar](repeating: 0, count: 128)
      if isLink {
        guard readlink(path, &text, text.count - 1) > 0 else { return nil }
        return CText.string(text)
      }
      let file = open(path, O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { return nil }
      defer { close(file) }
      guard read(file, &text, text.count - 1) > 0 else { return nil }
      let newline = CChar(bitPattern: UInt8(ascii: "\n"))
      return CText.string(Array(text.prefix { $0 != newline }))
    }
  #endif
}
