import ReactiveKit
import ReactiveTrace
import SystemLibrary
import TestThreads

/// Ways to die, after records that a test can check.
enum Deaths {
  /// Records numbers on all threads, each in its own lane, and says `<thread> <number>` on standard output once one is
  /// recorded, in one call of the system. After `count` records one of the threads has the process die in that `way`.
  ///
  /// Before each number come `fill` more records of 300 bytes, so that the log grows. The way `wait` has each thread wait
  /// after its records until the process is killed, so that the log does not grow without end.
  static func tell(threads: Int, count: Int, way: String, fill: Int = 0) {
    runOnThreads(threads) { thread in
      let subject = PassthroughSubject<String, Never>()
      let disposable = subject.lane("thread \(thread)").observe { _ in }
      let filling = PassthroughSubject<String, Never>()
      let filled = filling.lane("fill \(thread)").observe { _ in }
      let filler = "0 " + String(repeating: "x", count: 240)
      var number = 0
      while true {
        for _ in 0..<fill { filling.send(filler) }
        // Of every kind of length and letter; the number is what comes before the space.
        subject.send("\(number) " + Modes.value(number))
        // A thread may run on for a moment after the exit of the process has ended the log.
        if way != "exit" || Trace.isOn { Modes.tell("\(thread) \(number)\n") }
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
      // The effect of a bad access on a process.
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
