import Dispatch
import ReactiveTrace
import SystemLibrary
import TestThreads
import TraceFormat

/// The basic modes of the helper.
enum Modes {
  static func subscription(_ lane: String) -> TracedSubscription? {
    guard let recorder = Recorder.current else { return nil }
    return TracedSubscription(
      recorder: recorder,
      site: SharedSite(
        TraceSite(lane, file: "Helper/main.swift", line: 1, function: "main()"), type: "Int"))
  }

  /// Writes `count` elements and exits normally.
  static func write(_ count: Int) {
    let subscription = subscription("helper")
    for number in 0..<count { subscription?.next(text: "value \(number)") }
    subscription?.completed()
    report("on: \(Trace.isOn)\n")
  }

  /// Writes values of many lengths and characters on all threads until the process is killed. Each
  /// thread prints a dot after every 256 values.
  static func writeForever(threads: Int) {
    runOnThreads(threads) { thread in
      var number = 0
      while true {
        let subscription = subscription("thread \(thread) \"ü\"")
        for _ in 0..<256 {
          number &+= 1
          subscription?.next(text: value(number))
        }
        subscription?.failed("stop\n\(number)")
        report(".")
      }
    }
  }

  static func value(_ number: Int) -> String {
    switch number % 4 {
    case 0: String(number)
    case 1: String(repeating: "a\n\u{1}\"\\", count: number % 40)
    case 2: String(repeating: "👨‍👩‍👧é漢", count: number % 30)
    default: String(repeating: "plain text ", count: number % 20)
    }
  }

  /// Writes more than the file size limit allows.
  static func writeIntoLimit(bytes: Int) {
    ResourceLimit.fileSize.set(bytes)
    write(bytes / 50)
  }

  /// Forks a child that also records. Only the parent's records belong in the log.
  static func forkAndWrite() {
    let subscription = subscription("parent")
    subscription?.next(text: "before")
    // Swift hides `fork` because it is generally unsafe. This child only uses the code under test.
    typealias Fork = @convention(c) () -> pid_t
    guard let symbol = dlsym(nil, "fork") else { return }
    let child = unsafeBitCast(symbol, to: Fork.self)()
    if child == 0 {
      subscription?.next(text: "child")
      report("child on: \(Trace.isOn)\n")
      if let path = EnvironmentVariables.value("CHILD_TRACE") {
        try? Trace.start(path)
        Modes.subscription("child")?.next(text: "of the child")
        Trace.stop()
      }
      exit(0)
    }
    var status: Int32 = 0
    waitpid(child, &status, 0)
    subscription?.next(text: "after")
    subscription?.completed()
  }

  /// Exits while other threads are writing as fast as they can.
  static func exitWhileWriting(threads: Int) {
    let started = DispatchSemaphore(value: 0)
    for thread in 0..<threads {
      startThread {
        let subscription = subscription("thread \(thread)")
        var number = 0
        while true {
          number &+= 1
          subscription?.next(text: value(number))
          if number == 1000 { started.signal() }
        }
      }
    }
    for _ in 0..<threads { started.wait() }
    exit(0)
  }

  static func report(_ text: String) {
    var text = text
    text.withUTF8 { _ = systemWrite(STDOUT_FILENO, $0.baseAddress, $0.count) }
  }
}
