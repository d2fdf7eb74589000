import Foundation

enum Waiting {
  /// Waits until all other threads sleep, so that they don't have references in registers.
  ///
  /// Gives up after 200 ms, because threads of some programs never sleep.
  static func untilThreadsSleep() {
    let end = Date(timeIntervalSinceNow: 0.2)
    var quiet = 0
    while quiet < 3, Date() < end {
      guard let others = statesOfOtherThreads() else {
        usleep(50_000)
        return
      }
      if others.isEmpty { return }
      quiet = others.allSatisfy { $0 == UInt8(ascii: "S") } ? quiet + 1 : 0
      usleep(2_000)
    }
  }

  /// Runs an asynchronous function to its end.
  static func run(_ body: @escaping @Sendable () async -> Void) {
    let done = DispatchSemaphore(value: 0)
    Task {
      await body()
      done.signal()
    }
    done.wait()
  }

  /// Blocks the current thread longer than a program runs. The optimizer expects that it returns.
  static func forever() {
    while opaque(true) { sleep(1000) }
  }

  /// The states of the other threads in `/proc`, or nil if this system doesn't have it.
  ///
  /// This doesn't use Foundation, whose objects would reuse the memory of objects of the program.
  private static func statesOfOtherThreads() -> [UInt8]? {
    #if os(Linux)
      guard let folder = opendir("/proc/self/task") else { return nil }
      defer { closedir(folder) }
      var states: [UInt8] = []
      while let entry = readdir(folder) {
        let thread = withUnsafeBytes(of: &entry.pointee.d_name) {
          $0.baseAddress.map { atoi($0) } ?? 0
        }
        if thread > 0, thread != getpid(), let state = state(of: thread) { states.append(state) }
      }
      return states
    #else
      return nil
    #endif
  }

  #if os(Linux)
    /// Returns nil if the thread has ended.
    private static func state(of thread: pid_t) -> UInt8? {
      let file = open("/proc/self/task/\(thread)/stat", O_RDONLY)
      guard file >= 0 else { return nil }
      defer { close(file) }
      var text = InlineArray<128, UInt8>(repeating: 0)
      let count = withUnsafeMutableBytes(of: &text) { read(file, $0.baseAddress, $0.count) }
      // The state follows the name of the thread, which is in parentheses.
      for index in stride(from: count - 3, to: 0, by: -1)
      where text[index] == UInt8(ascii: ")") && text[index + 1] == UInt8(ascii: " ") {
        return text[index + 2]
      }
      return nil
    }
  #endif
}
