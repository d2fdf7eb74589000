import Dispatch
import ReactiveKit
import ReactiveTrace
import SystemLibrary
import TestThreads

/// Situations that a test cannot be in itself.
enum Situations {
  /// Starts logs in code, twice, and in the third place with a sink. Then stops and starts one more.
  static func startInCode(_ path: String) {
    for _ in 0..<2 { tell { try Trace.start(path, options: Trace.Options(lanes: "other")) } }
    tell { try Trace.start(to: [.file(path), .memory(Trace.MemorySink())]) }
    Modes.subscription("a")?.completed()
    Trace.stop()
    tell { try Trace.start(path) }
    Modes.subscription("b")?.completed()
  }

  private static func tell(_ start: () throws -> Void) {
    do {
      try start()
      Modes.tell("started\n")
    } catch {
      Modes.tell("\(error)\n")
    }
  }

  /// Writes while the disk is full, and after there is room again.
  static func refill(bytes: Int) {
    ResourceLimit.fileSize.set(bytes)
    let subscription = Modes.subscription("a")
    for number in 0..<bytes / 50 { subscription?.next(text: "full \(number)") }
    ResourceLimit.fileSize.set(nil)
    var number = 0
    // The recorder checks from time to time whether there is room again.
    let clock = ContinuousClock()
    let start = clock.now
    while clock.now - start < .milliseconds(250) {
      subscription?.next(text: "after \(number)")
      number += 1
    }
    subscription?.completed()
    Modes.tell("\(bytes / 50 + number)\n")
  }

  /// Runs work of other queues on the main thread, which only a program of its own has.
  static func immediatelyOnMain() {
    var runs: [String] = []
    ExecutionContext.immediateOnMain.execute { runs.append("main") }
    DispatchQueue(label: "helper.queue").sync {
      ExecutionContext.immediateOnMain.execute { runs.append("queue") }
    }
    Modes.tell("\(runs.joined(separator: " "))\n")
  }

  /// Eight threads that observe at four locations that are new to all of them.
  static func crowd() {
    let property = Property(1)
    runOnThreads(8) { _ in
      property.observeNext { _ in }.dispose()
      property.map { $0 + 1 }.observeNext { _ in }.dispose()
      property.sink { _ in }.dispose()
      property.filter { $0 > 0 }.observe { _ in }.dispose()
    }
  }

  /// Makes many observations without a name, until the disk is full.
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

  /// The file is renamed, or deleted, in the middle.
  static func lose(renamedTo name: String?) {
    let subscription = Modes.subscription("a")
    subscription?.next(text: "before")
    guard let path = Trace.path else { return }
    if let name { rename(path, name) } else { unlink(path) }
    // Enough for the file to grow.
    for number in 0..<10_000 { subscription?.next(text: "after \(number)") }
    subscription?.completed()
  }

  /// Each lane has one subscription; all are alive at the same time.
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
    Modes.tell("went on\n")
  }

  /// A child whose parent traces it as a debugger does, stops at a breakpoint; the parent says at which signal.
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
    Modes.tell(isStopped ? "stopped by \(status >> 8 & 0xFF)\n" : "ended\n")
    kill(child, SIGKILL)
    waitpid(child, &status, 0)
  }

  /// Observes signals that no lane is on, one of which nobody disposes.
  static func unnamed() {
    let subject = PassthroughSubject<Int, Never>()
    let bag = DisposeBag()
    subject.map { $0 + 1 }.observeNext { _ in }.dispose(in: bag)
    for _ in 0..<3 {
      subject.filter { $0 > 0 }.sink { _ in }.dispose()
    }
    subject.lane("a").observe { _ in }.dispose()
    subject.send(1)
    Modes.tell(Trace.activeSubscriptions.map(\.lane).joined(separator: "\n"))
    kept.withLock { $0 = (subject, bag) }
  }

  private static let kept = Locked<(PassthroughSubject<Int, Never>, DisposeBag)?>(nil)
}
