import ReactiveKit
import ReactiveTrace
import SystemLibrary
import TestThreads

/// Processes that record elements that a test can check, and then die.
enum Deaths {
  /// Records numbers on all threads, each in its own lane. After recording a number, a thread
  /// prints `<thread> <number>` with one system call. After `count` records, one of the threads
  /// ends the process in the given `way`.
  ///
  /// Each thread records `fill` elements of 300 bytes before each number, so that the log grows.
  /// With the way `wait`, each thread waits after its records until the process is killed, which
  /// limits the size of the log.
  static func record(threads: Int, count: Int, way: String, fill: Int = 0) {
    runOnThreads(threads) { thread in
      let subject = PassthroughSubject<String, Never>()
      let disposable = subject.lane("thread \(thread)").observe { _ in }
      let filling = PassthroughSubject<String, Never>()
      let filled = filling.lane("fill \(thread)").observe { _ in }
      let filler = "0 " + String(repeating: "x", count: 240)
      var number = 0
      while true {
        for _ in 0..<fill { filling.send(filler) }
        // The values have many lengths and kinds of characters. The number is the part before the
        // space.
        subject.send("\(number) " + Modes.value(number))
        // During `exit`, a thread can run for a moment after the log has ended.
        if way != "exit" || Trace.isOn { Modes.report("\(thread) \(number)\n") }
        number += 1
        while way == "wait", number == count { pause() }
        if thread == threads - 1, number == count {
          die(way)
          disposable.dispose()
          filled.dispose()
        }
      }
    }
  }

  private static func die(_ way: String) {
    switch way {
    case "segv":
      // Has the same effect as an invalid memory access.
      raise(SIGSEGV)
    case "fatal": fatalError("asked for")
    case "abort": abort()
    case "exit": exit(3)
    case "quick": _exit(4)
    case "trap": raise(SIGTRAP)
    default: break
    }
  }
}
