import Dispatch
import ReactiveKit
import ReactiveTrace
import SystemLibrary
import TestThreads

/// Situations that need a separate process.
enum Situations {
  /// Tries to start a log three times, the last time with a sink. Then stops tracing and starts
  /// another log.
  static func startInCode(_ path: String) {
    for _ in 0..<2 {
      reportResult { try Trace.start(path, options: Trace.Options(lanes: "other")) }
    }
    reportResult { try Trace.start(to: [.file(path), .memory(Trace.MemorySink())]) }
    Modes.subscription("a")?.completed()
    Trace.stop()
    reportResult { try Trace.start(path) }
    Modes.subscription("b")?.completed()
  }

  private static func reportResult(_ start: () throws -> Void) {
    do {
      try start()
      Modes.report("started\n")
    } catch {
      Modes.report("\(error)\n")
    }
  }

  /// Writes while the disk is full, and again when there is room.
  static func refill(bytes: Int) {
    ResourceLimit.fileSize.set(bytes)
    let subscription = Modes.subscription("a")
    for number in 0..<bytes / 50 { subscription?.next(text: "full \(number)") }
    ResourceLimit.fileSize.set(nil)
    var number = 0
    // The recorder periodically checks whether there is room again.
    let clock = ContinuousClock()
    let start = clock.now
    while clock.now - start < .milliseconds(250) {
      subscription?.next(text: "after \(number)")
      number += 1
    }
    subscription?.completed()
    Modes.report("\(bytes / 50 + number)\n")
  }

  /// Runs work on the main thread, directly and inside another queue.
  static func immediatelyOnMain() {
    var runs: [String] = []
    ExecutionContext.immediateOnMain.execute { runs.append("main") }
    DispatchQueue(label: "helper.queue").sync {
      ExecutionContext.immediateOnMain.execute { runs.append("queue") }
    }
    Modes.report("\(runs.joined(separator: " "))\n")
  }

  /// Observes on eight threads at four locations that all threads reach for the first time.
  static func crowd() {
    let property = Property(1)
    runOnThreads(8) { _ in
      property.observeNext { _ in }.dispose()
      property.map { $0 + 1 }.observeNext { _ in }.dispose()
      property.sink { _ in }.dispose()
      property.filter { $0 > 0 }.observe { _ in }.dispose()
    }
  }

  /// Makes unnamed observations and fills the disk with their elements.
  static func locations(bytes: Int) {
    ResourceLimit.fileSize.set(bytes)
    let subject = PassthroughSubject<Int, Never>()
    let bag = DisposeBag()
    subject.observeNext { _ in }.dispose(in: bag)
    subject.observeNext { _ in }.dispose(in: bag)
    subject.observeNext { _ in }.dispose(in: bag)
    subject.observeNext { _ in }.dispose(in: bag)
    subject.observeNext { _ in }.dispose(in: bag)
    subject.observeNext { _ in }.dispose(in: bag)
    subject.observeNext { _ in }.dispose(in: bag)
    subject.observeNext { _ in }.dispose(in: bag)
    for number in 0..<bytes / 100 { subject.send(number) }
    bag.dispose()
  }

  /// Renames or deletes the log while it is written.
  static func lose(renamedTo name: String?) {
    let subscription = Modes.subscription("a")
    subscription?.next(text: "before")
    guard let path = Trace.path else { return }
    if let name { rename(path, name) } else { unlink(path) }
    // Makes the file grow.
    for number in 0..<10_000 { subscription?.next(text: "after \(number)") }
    subscription?.completed()
  }

  /// Makes `count` lanes with one subscription each. All are active at the same time.
  static func lanes(_ count: Int) {
    let subject = PassthroughSubject<Int, Never>()
    let bag = DisposeBag()
    for number in 0..<count { subject.lane("lane \(number)").observe { _ in }.dispose(in: bag) }
    subject.send(1)
    bag.dispose()
  }

  static func printing() {
    struct Broken: Error {}
    let subject = PassthroughSubject<Int, Broken>()
    let disposable = subject.debug("search").observe { _ in }
    subject.send(7)
    disposable.dispose()
    Signal<Int, Broken>.failed(Broken()).debug("failing").observe { _ in }.dispose()
    Signal<Int, Never>(just: 1).debug().observe { _ in }.dispose()
  }

  static func breakpoints() {
    struct Broken: Error {}
    Signal<Int, Never>(sequence: [1, 2]).breakpoint(receiveOutput: { $0 == 2 })
      .observe { _ in }.dispose()
    Signal<Int, Broken>.failed(Broken()).breakpointOnError().observe { _ in }.dispose()
    Signal<Int, Never>(just: 1).breakpointOnError().observe { _ in }.dispose()
    Signal<Int, Never>(just: 3)
      .breakpoint(receiveSubscription: { true }, receiveCompletion: { _ in true })
      .observe { _ in }.dispose()
    Modes.report("went on\n")
  }

  /// Runs a breakpoint in a child that its parent traces like a debugger. Prints the signal that
  /// stopped the child.
  static func underDebugger() {
    typealias Fork = @convention(c) () -> pid_t
    typealias Trace = @convention(c) (Int, Int, Int, Int) -> Int
    guard let fork = dlsym(nil, "fork"), let ptrace = dlsym(nil, "ptrace") else { return }
    let trace = unsafeBitCast(ptrace, to: Trace.self)
    let child = unsafeBitCast(fork, to: Fork.self)()
    if child == 0 {
      let traceMe = 0
      _ = trace(traceMe, 0, 0, 0)
      Signal<Int, Never>(just: 1).breakpoint(receiveOutput: { _ in true }).observe { _ in }
        .dispose()
      exit(0)
    }
    var status: Int32 = 0
    waitpid(child, &status, 0)
    let isStopped = status & 0xFF == 0x7F
    Modes.report(isStopped ? "stopped by \(status >> 8 & 0xFF)\n" : "ended\n")
    kill(child, SIGKILL)
    waitpid(child, &status, 0)
  }

  /// Observes signals without lanes, one of which is never disposed.
  static func unnamed() {
    let subject = PassthroughSubject<Int, Never>()
    let bag = DisposeBag()
    subject.map { $0 + 1 }.observeNext { _ in }.dispose(in: bag)
    for _ in 0..<3 {
      subject.filter { $0 > 0 }.sink { _ in }.dispose()
    }
    subject.lane("a").observe { _ in }.dispose()
    subject.send(1)
    Modes.report(Trace.activeSubscriptions.map(\.lane).joined(separator: "\n"))
    kept.withLock { $0 = (subject, bag) }
  }

  private static let kept = Locked<(PassthroughSubject<Int, Never>, DisposeBag)?>(nil)
}
