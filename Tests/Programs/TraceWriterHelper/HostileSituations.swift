import ReactiveKit
import ReactiveTrace
import Synchronization
import SystemLibrary
import TraceFormat

/// Processes that interfere with the files and descriptors of their log.
enum HostileSituations {
  /// Closes all descriptors above 2, as daemons do, and reuses the log's descriptor for another
  /// file. If `name` isn't `nil`, the log is renamed to it, so that the recorder can't find the
  /// log.
  static func takeNumber(for mine: String, renamedTo name: String?) {
    let subscription = Modes.subscription("a")
    subscription?.next(text: "before")
    guard let path = Trace.path, let number = number(of: path) else { return }
    if let name { rename(path, name) }
    for other in Int32(3)..<1024 { close(other) }
    let file = open(mine, O_RDWR | O_CREAT, 0o644)
    write(file, "precious")
    dup2(file, number)
    // Makes the log grow and prepare space ahead.
    for element in 0..<20_000 { subscription?.next(text: "after \(element)") }
    // A child must not change the file either.
    let child = fork()
    if child == 0 {
      write(number, " of the child")
      exit(0)
    }
    var status: Int32 = 0
    waitpid(child, &status, 0)
    subscription?.completed()
    exit(0)
  }

  /// Closes standard output and error before tracing, and then writes to both.
  static func withoutStreams() {
    close(STDOUT_FILENO)
    close(STDERR_FILENO)
    let subscription = Modes.subscription("a")
    for element in 0..<3 {
      write(STDOUT_FILENO, "printed")
      write(STDERR_FILENO, "printed")
      subscription?.next(text: "\(element)")
    }
    subscription?.completed()
  }

  /// Reuses the descriptor of standard error for a file before the log prints a warning.
  static func fullWithoutErrors(_ mine: String) {
    close(STDERR_FILENO)
    write(open(mine, O_RDWR | O_CREAT, 0o644), "precious")
    Modes.writeIntoLimit(bytes: 50_000)
  }

  /// Prevents the log from creating its next file for some time. Prints how many elements were
  /// sent.
  static func refuseRotation() {
    let subscription = Modes.subscription("a")
    guard let path = Trace.path else { return }
    var sent = 0
    func send() {
      subscription?.next(text: "element \(sent)")
      sent += 1
    }
    ResourceLimit.fileSize.set(100)
    for _ in 0..<3000 { send() }
    Modes.report(access(SegmentPath.of(path, 2), F_OK) == 0 ? "there\n" : "none\n")
    ResourceLimit.fileSize.set(nil)
    // The recorder periodically tries to create the file.
    let start = ContinuousClock.now
    while Trace.path == path, start.duration(to: .now) < .seconds(20) { send() }
    for _ in 0..<10 { send() }
    subscription?.completed()
    Modes.report("\(sent)\n")
  }

  /// Limits the next file of a log so that not all active subscriptions fit.
  static func handOnWithoutRoom(bytes: Int) {
    let subscriptions = (0..<1000).map { Modes.subscription("lane \($0)") }
    let path = Trace.path
    ResourceLimit.fileSize.set(bytes)
    while Trace.path == path { subscriptions[0]?.next(text: "element") }
    Modes.report("went on\n")
    withExtendedLifetime(subscriptions) { exit(0) }
  }

  /// Deletes a log with a relative path, and changes the current directory.
  static func leaveFolder(_ folder: String, _ other: String) {
    chdir(folder)
    guard (try? Trace.start("log.jsonl")) != nil else { return }
    let subscription = Modes.subscription("a")
    subscription?.next(text: "before")
    unlink("log.jsonl")
    chdir(other)
    subscription?.completed()
  }

  /// Writes the log to standard output, which is a file with other text.
  static func traceToOutput(_ mine: String) {
    let file = open(mine, O_RDWR | O_CREAT | O_TRUNC, 0o644)
    write(file, "first\n")
    dup2(file, STDOUT_FILENO)
    let subscription = Modes.subscription("a")
    subscription?.next(text: "one")
    write(STDOUT_FILENO, "second\n")
    subscription?.completed()
  }

  // MARK: Signal handlers

  private static let interrupting = PassthroughSubject<Int, Never>()
  private static let signals = Atomic<Int>(0)
  private static let exitAt = Atomic<Int>(.max)

  /// Sends on a lane in a signal handler, a thousand times a second or more, while threads trace.
  /// If `exitAt` isn't `nil`, the signal with that number calls `exit`.
  static func interrupt(times: Int, exitAt number: Int?) {
    exitAt.store(number ?? .max, ordering: .relaxed)
    let disposable = interrupting.lane("handler").observe { _ in }
    interrupting.send(0)
    let threads = (0..<2).map { OwnThread.start($0, traceAllKinds) }
    signal(SIGPROF) { _ in
      let number = HostileSituations.signals.wrappingAdd(1, ordering: .relaxed).newValue
      if number == HostileSituations.exitAt.load(ordering: .relaxed) { exit(5) }
      // If two threads sent simultaneously, the subject would allocate a queue entry, but a handler
      // can have interrupted the allocator.
      guard !HostileSituations.isSending.exchange(true, ordering: .acquiring) else { return }
      HostileSituations.interrupting.send(number)
      HostileSituations.isSending.store(false, ordering: .releasing)
    }
    while signals.load(ordering: .relaxed) < times {
      for thread in threads { pthread_kill(thread, SIGPROF) }
      sched_yield()
    }
    signal(SIGPROF, SIG_IGN)
    isOver.store(true, ordering: .relaxed)
    for thread in threads { pthread_join(thread, nil) }
    disposable.dispose()
    Modes.report("\(signals.load(ordering: .relaxed))\n")
  }

  private static let isOver = Atomic<Bool>(false)
  private static let isSending = Atomic<Bool>(false)
  /// The number of rounds that the threads have completed.
  private static let rounds = Atomic<Int>(0)

  private static func traceAllKinds(_ thread: Int) {
    while !isOver.load(ordering: .relaxed) {
      let subscription = Modes.subscription("thread \(thread)")
      for number in 0..<100 { subscription?.next(integer: number) }
      subscription?.next(text: "long \(String(repeating: "x", count: 300))")
      subscription?.completed()
      _ = Trace.isOn
      _ = Trace.activeSubscriptions.count
      rounds.wrappingAdd(1, ordering: .releasing)
    }
  }

  // MARK: Forks

  /// Forks children that each start a log, one after the other, while threads trace. Prints how
  /// many exited normally.
  static func fork(times: Int) {
    guard let path = EnvironmentVariables.value("CHILD_TRACE") else { return }
    let threads = (0..<2).map { OwnThread.start($0, traceAllKinds) }
    // A child that is forked while a thread uses a type for the first time inherits a locked lock
    // of the Swift runtime. So each thread has to use everything once before.
    while rounds.load(ordering: .acquiring) < 8 { sched_yield() }
    var finished = 0
    for _ in 0..<times {
      let child = fork()
      if child == 0 { traceInChild(path) }
      guard ends(child) else { break }
      finished += 1
    }
    isOver.store(true, ordering: .relaxed)
    for thread in threads { pthread_join(thread, nil) }
    Modes.report("\(finished)\n")
  }

  private static func traceInChild(_ path: String) -> Never {
    guard (try? Trace.start(path)) != nil else { _exit(1) }
    let subscription = Modes.subscription("child")
    for number in 0..<100 { subscription?.next(integer: number) }
    subscription?.completed()
    Trace.stop()
    exit(0)
  }

  /// Returns whether the child exits normally. If it hangs, it is killed after 20 s.
  static func ends(_ child: pid_t) -> Bool {
    let start = ContinuousClock.now
    var status: Int32 = 0
    while waitpid(child, &status, WNOHANG) == 0 {
      guard start.duration(to: .now) < .seconds(20) else {
        kill(child, SIGKILL)
        waitpid(child, &status, 0)
        return false
      }
      sched_yield()
    }
    return status == 0
  }

  // MARK: The system

  // Swift hides `fork` because it is generally unsafe.
  static func fork() -> pid_t {
    typealias Fork = @convention(c) () -> pid_t
    guard let symbol = dlsym(nil, "fork") else { return -1 }
    return unsafeBitCast(symbol, to: Fork.self)()
  }

  /// Returns this process's descriptor of a file, other than the standard streams.
  private static func number(of path: String) -> Int32? {
    var wanted = stat()
    guard stat(path, &wanted) == 0 else { return nil }
    return (Int32(3)..<1024).first { number in
      var information = stat()
      return fstat(number, &information) == 0 && information.st_ino == wanted.st_ino
        && information.st_dev == wanted.st_dev
    }
  }

  private static func write(_ file: Int32, _ text: String) {
    _ = ByteOutput.write(Array(text.utf8), to: file)
  }
}

/// A thread that can be joined.
enum OwnThread {
  private final class Work {
    let number: Int
    let body: (Int) -> Void

    init(_ number: Int, _ body: @escaping (Int) -> Void) {
      self.number = number
      self.body = body
    }
  }

  static func start(_ number: Int, _ body: @escaping (Int) -> Void) -> pthread_t {
    let work = Unmanaged.passRetained(Work(number, body)).toOpaque()
    #if canImport(Darwin)
      var thread: pthread_t?
      pthread_create(
        &thread, nil,
        { memory in
          let work = Unmanaged<Work>.fromOpaque(memory).takeRetainedValue()
          work.body(work.number)
          return nil
        }, work)
      guard let thread else { fatalError("no thread can be made") }
      return thread
    #else
      var thread = pthread_t()
      pthread_create(
        &thread, nil,
        { memory in
          guard let memory else { return nil }
          let work = Unmanaged<Work>.fromOpaque(memory).takeRetainedValue()
          work.body(work.number)
          return nil
        }, work)
      return thread
    #endif
  }
}
