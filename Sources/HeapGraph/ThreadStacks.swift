import HostSafety
import SystemLibrary
import TraceShims

/// The stacks of the threads of this process.
package enum ThreadStacks {
  /// Returns the stack pointers of the calling thread and of all waiting threads, and whether there
  /// are other threads. The system doesn't report the stack pointers of running threads.
  package static func pointers() -> (known: [UInt], areSomeUnknown: Bool) {
    let own = UInt(bitPattern: trace_frame_address())
    var pointers: [UInt] = []
    var count = 0
    #if os(Linux)
      guard let folder = opendir("/proc/self/task") else { return ([own], true) }
      defer { closedir(folder) }
      while let entry = readdir(folder), pointers.count < 4096 {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        guard name.first?.isNumber == true else { continue }
        count += 1
        if let pointer = pointer(of: name) { pointers.append(pointer) }
      }
    #endif
    return (pointers + [own], pointers.count < count)
  }

  #if os(Linux)
    /// Returns the stack pointer of a thread that waits in a system call: the second to last number
    /// that the kernel reports about the call.
    private static func pointer(of thread: String) -> UInt? {
      let file = OwnDescriptor.open("/proc/self/task/\(thread)/syscall", O_RDONLY)
      guard file >= 0 else { return nil }
      defer { _ = systemClose(file) }
      var bytes = [UInt8](repeating: 0, count: 256)
      let count = systemRead(file, &bytes, bytes.count)
      guard count > 0 else { return nil }
      let words = bytes[..<count].split { $0 == 0x20 || $0 == 0x0A }
      guard words.count >= 3 else { return nil }
      let text = String(decoding: words[words.count - 2], as: UTF8.self)
      return text.hasPrefix("0x") ? UInt(text.dropFirst(2), radix: 16) : nil
    }
  #endif
}
