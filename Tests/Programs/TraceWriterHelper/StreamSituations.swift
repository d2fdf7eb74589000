import PseudoTerminals
import ReactiveKit
import ReactiveTrace
import Synchronization
import SystemLibrary
import TestThreads

/// Processes that change their standard streams, their terminal or their log.
enum StreamSituations {
  /// Writes the log to standard output, which is a file. Prints the path of another log of the same
  /// file on standard error.
  static func shareOutput(_ mine: String) {
    redirectOutput(to: mine)
    let subscription = Modes.subscription("a")
    subscription?.next(text: "one")
    let other = try? LogFile(path: mine, header: Array("{}\n".utf8))
    write(STDERR_FILENO, other?.path ?? "")
    other?.abandon()
    subscription?.completed()
  }

  /// Writes the log to standard output, and closes all descriptors above the standard streams, as
  /// daemons do. If `isLast`, standard output is closed as well.
  static func closeAll(_ mine: String, isLast: Bool) {
    redirectOutput(to: mine)
    let subscription = Modes.subscription("a")
    subscription?.next(text: "before")
    for other in Int32(3)..<1024 { close(other) }
    if isLast { close(STDOUT_FILENO) }
    for element in 0..<100 { subscription?.next(text: "\(element)") }
    subscription?.completed()
  }

  private static func redirectOutput(to path: String) {
    let file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o644)
    write(file, "first\n")
    dup2(file, STDOUT_FILENO)
    close(file)
  }

  /// Writes records to standard error, closes it, and reuses its descriptor for a file.
  static func replaceErrors(_ mine: String) {
    guard (try? Trace.start(to: [.standardError])) != nil else { return }
    let subscription = Modes.subscription("a")
    subscription?.next(text: "before")
    close(STDERR_FILENO)
    write(open(mine, O_RDWR | O_CREAT, 0o644), "precious")
    subscription?.next(text: "after")
    subscription?.completed()
    Trace.stop()
  }

  /// Reuses the descriptor of standard error for a pipe before the log prints a warning. Prints how
  /// many bytes are in the pipe.
  static func pipeForErrors() {
    close(STDIN_FILENO)
    close(STDERR_FILENO)
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0, ends[1] == STDERR_FILENO else { return }
    write(ends[1], ".")
    _ = Modes.subscription("a")
    var bytes = [UInt8](repeating: 0, count: 4096)
    Modes.report("\(read(ends[0], &bytes, bytes.count))\n")
  }

  /// Writes the log of a process without a controlling terminal to a terminal. Prints whether the
  /// process then has a controlling terminal.
  static func traceToTerminal() {
    let child = HostileSituations.fork()
    if child == 0 {
      setsid()
      var path = [CChar](repeating: 0, count: 128)
      guard pseudo_terminal_open(&path, path.count) >= 0 else { _exit(1) }
      try? Trace.start(SystemError.text(path))
      Modes.report(open("/dev/tty", O_RDWR) < 0 ? "none\n" : "one\n")
      _exit(0)
    }
    var status: Int32 = 0
    waitpid(child, &status, 0)
  }

  /// Prints whether the effective user differs from the real user, and then writes a log.
  static func withForeignRights() {
    Modes.report("foreign: \(geteuid() != getuid())\n")
    Modes.write(2)
  }

  private static let isClosing = Atomic<Bool>(false)
  private static let isStopping = Atomic<Bool>(false)
  private static let isClosed = Atomic<Bool>(false)

  /// Stops the log on a second thread while the first thread is still stopping it. Prints whether
  /// the second call returned too early.
  static func stopTwice() {
    let sink = Trace.Sink.custom(close: {
      isClosing.store(true, ordering: .sequentiallyConsistent)
      while !isStopping.load(ordering: .sequentiallyConsistent) { sched_yield() }
      for _ in 0..<1000 { sched_yield() }
      isClosed.store(true, ordering: .sequentiallyConsistent)
    }) { _ in }
    guard (try? Trace.start(to: [sink])) != nil else { return }
    _ = Modes.subscription("a")
    runOnThreads(2) { thread in
      guard thread == 1 else { return Trace.stop() }
      while !isClosing.load(ordering: .sequentiallyConsistent) { sched_yield() }
      isStopping.store(true, ordering: .sequentiallyConsistent)
      let start = ContinuousClock.now
      Trace.stop()
      let isDone = isClosed.load(ordering: .sequentiallyConsistent)
      // On a busy machine, the first thread can take longer than the limit of 0.2 s.
      let isPatient = start.duration(to: .now) >= .milliseconds(200)
      Modes.report(isDone || isPatient ? "in time\n" : "too early\n")
    }
  }

  private static func write(_ file: Int32, _ text: String) {
    _ = ByteOutput.write(Array(text.utf8), to: file)
  }
}
