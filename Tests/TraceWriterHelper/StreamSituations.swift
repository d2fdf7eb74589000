import PseudoTerminals
import ReactiveKit
import ReactiveTrace
import Synchronization
import SystemLibrary
import TestThreads

/// Situations of programs that change their standard streams, their terminal or their log.
enum StreamSituations {
  /// The log goes to standard output, which is a file. Says on standard error where another log with that path goes.
  static func shareOutput(_ mine: String) {
    redirectOutput(to: mine)
    let subscription = Modes.subscription("a")
    subscription?.next(text: "one")
    let other = try? LogFile(path: mine, header: Array("{}\n".utf8))
    write(STDERR_FILENO, other?.path ?? "")
    other?.abandon()
    subscription?.completed()
  }

  /// The log goes to standard output, and all descriptors above the streams are closed, as daemons do; where it `isLast`
  /// standard output, too.
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

  /// Records go to standard error until that is closed, and its number is that of a file of the program's.
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

  /// A pipe of the program's has the number of standard error when there is something to complain about. Says how much is in it.
  static func pipeForErrors() {
    close(STDIN_FILENO)
    close(STDERR_FILENO)
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0, ends[1] == STDERR_FILENO else { return }
    write(ends[1], ".")
    _ = Modes.subscription("a")
    var bytes = [UInt8](repeating: 0, count: 4096)
    Modes.tell("\(read(ends[0], &bytes, bytes.count))\n")
  }

  /// Writes the log of a process without a terminal to a terminal. Prints whether the process has a
  /// terminal then.
  static func traceToTerminal() {
    let child = HostileSituations.fork()
    if child == 0 {
      setsid()
      var path = [CChar](repeating: 0, count: 128)
      guard pseudo_terminal_open(&path, path.count) >= 0 else { _exit(1) }
      try? Trace.start(SystemError.text(path))
      Modes.tell(open("/dev/tty", O_RDWR) < 0 ? "none\n" : "one\n")
      _exit(0)
    }
    var status: Int32 = 0
    waitpid(child, &status, 0)
  }

  /// Says whether the program has the rights of another user than the one who has started it, and writes.
  static func withForeignRights() {
    Modes.tell("foreign: \(geteuid() != getuid())\n")
    Modes.write(2)
  }

  private static let isClosing = Atomic<Bool>(false)
  private static let isStopping = Atomic<Bool>(false)
  private static let isClosed = Atomic<Bool>(false)

  /// A second thread stops the log while the first is still at it. Says whether it has come back too early.
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
      // On a busy machine the first thread may take longer than anybody waits for it.
      let isPatient = start.duration(to: .now) >= .milliseconds(200)
      Modes.tell(isDone || isPatient ? "in time\n" : "too early\n")
    }
  }

  private static func write(_ file: Int32, _ text: String) {
    _ = ByteOutput.write(Array(text.utf8), to: file)
  }
}
