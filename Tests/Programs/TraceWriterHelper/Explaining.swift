import ReactiveKit
import ReactiveTrace
import Sandboxes
import Synchronization
import SystemLibrary
import TestThreads
import TraceFormat

/// A screen that is retained by its own observer.
private final class Screen {
  private let bag = DisposeBag()
  private var shown = 0

  func open(_ texts: PassthroughSubject<Int, Never>) {
    texts.lane("screen.texts").observeNext { self.shown = $0 }.dispose(in: bag)
  }
}

/// Processes that exit with leaks in situations in which explaining the leaks is hard.
enum Explaining {
  private static let texts = PassthroughSubject<Int, Never>()
  private static let kept = DisposeBag()

  private static func openScreens(_ count: Int) {
    for _ in 0..<count { Screen().open(texts) }
  }

  private static func discard(_ count: Int) {
    for _ in 0..<count { _ = texts.lane("discarded").observeNext { _ in } }
  }

  /// Makes `count` leaking subscriptions, and exits in the given way.
  static func leave(way: String, count: Int) {
    switch way {
    case "exit": openScreens(count)
    case "stop":
      openScreens(count)
      Trace.stop()
    case "discarded": discard(count)
    case "sandboxed", "killed":
      openScreens(1)
      Modes.report(sandbox_forbid_copying(way == "killed") ? "sandboxed\n" : "not sandboxed\n")
    case "limited":
      openScreens(1)
      limitAddresses(megabytes: count)
    case "small-stack":
      openScreens(1)
      startThread(stackSize: count) { exit(0) }
      while true { pause() }
    case "handler":
      openScreens(1)
      signal(SIGUSR1) { _ in exit(0) }
      raise(SIGUSR1)
    case "stop-and-exit": stopAndExit(count)
    case "fork": forkAndExit()
    case "busy": exitWhileBusy(threads: count)
    default: print("unknown way \(way)")
    }
    exit(0)
  }

  /// Limits the free address space to `megabytes`.
  private static func limitAddresses(megabytes: Int) {
    guard let file = fopen("/proc/self/statm", "r") else { return }
    var line = [CChar](repeating: 0, count: 256)
    fgets(&line, 256, file)
    fclose(file)
    let digits = line.prefix { $0 >= 48 && $0 <= 57 }
    let pages = digits.reduce(0) { $0 * 10 + Int($1) - 48 }
    ResourceLimit.addressSpace.set(pages * 4096 + megabytes << 20)
  }

  private static let isStopping = Atomic<Bool>(false)

  /// Exits while another thread stops the log.
  private static func stopAndExit(_ count: Int) {
    openScreens(count)
    startThread {
      isStopping.store(true, ordering: .relaxed)
      Trace.stop()
    }
    while !isStopping.load(ordering: .relaxed) { sched_yield() }
  }

  /// Forks a child that also exits with leaks, which must not be in its parent's log.
  private static func forkAndExit() {
    openScreens(1)
    let child = HostileSituations.fork()
    if child == 0 {
      openScreens(1)
      exit(0)
    }
    var status: Int32 = 0
    waitpid(child, &status, 0)
    Modes.report("\(status)\n")
  }

  /// Exits while other threads allocate and free objects, send elements and dispose.
  private static func exitWhileBusy(threads: Int) {
    openScreens(20)
    for number in 0..<threads {
      startThread {
        let subject = PassthroughSubject<[String], Never>()
        var kept: [Int: [String]] = [:]
        while true {
          let bag = DisposeBag()
          subject.lane("busy \(number)").observeNext { kept[$0.count] = $0 }.dispose(in: bag)
          for count in 0..<40 { subject.send([String](repeating: "text \(count)", count: count)) }
          subject.map { $0.count }.lane("counts \(number)").observeNext { _ in }.dispose(in: bag)
          kept = [:]
        }
      }
    }
    for _ in 0..<1000 { sched_yield() }
  }

  // MARK: Measuring

  /// Prints how long ending a log takes, without leaks and with leaks.
  static func measure(_ count: Int) {
    let subject = PassthroughSubject<Int, Never>()
    for _ in 0..<count { subject.lane("clean").observeNext { _ in }.dispose() }
    reportTime("\(count) disposed subscriptions, Trace.stop()") { Trace.stop() }
    measureLeaks(count, "of one subject") { openScreens($0) }
    measureLeaks(count, "of a subject each") { count in
      for number in 0..<count {
        let subject = PassthroughSubject<Int, Never>()
        subject.lane("lane \(number % 100)").observeNext { _ in }.dispose(in: kept)
        subjects.withLock { $0.append(subject) }
      }
    }
    measureLeaks(count, "discarded") { discard($0) }
  }

  private static let subjects = Locked<[PassthroughSubject<Int, Never>]>([])

  private static func measureLeaks(_ count: Int, _ what: String, _ leak: (Int) -> Void) {
    let memory = Trace.MemorySink()
    guard (try? Trace.start(to: [.memory(memory)])) != nil else { return }
    leak(count)
    let before = peakKilobytes()
    reportTime("\(count) leaks \(what), Trace.stop()") { Trace.stop() }
    let explained = memory.records.count { $0.event == .retained }
    let more = (peakKilobytes() - before) / 1024
    Modes.report("  explained: \(explained), more memory at most: \(more) MB\n")
  }

  private static func reportTime(_ what: String, _ body: () -> Void) {
    let time = ContinuousClock().measure(body)
    let (seconds, attoseconds) = time.components
    Modes.report("\(what): \(seconds * 1000 + attoseconds / 1_000_000_000_000_000) ms\n")
  }

  #if canImport(Glibc)
    private static let usageOfProcess = __rusage_who_t(RUSAGE_SELF.rawValue)
  #else
    private static let usageOfProcess = Int32(RUSAGE_SELF)
  #endif

  private static func peakKilobytes() -> Int {
    var usage = rusage()
    getrusage(usageOfProcess, &usage)
    return usage.ru_maxrss
  }

  // MARK: Publishing

  private static let start = Atomic<UInt>(0)
  private static let border = Atomic<UInt>(0)

  /// For every offset in a line with lists, publishes the line across a page border at that offset.
  /// The second page isn't writable, so a fault occurs. Its handler prints the published part of
  /// the line and makes the page writable, and then the publisher continues.
  static func publishUpToEachByte() {
    let page = 4096
    let capture = Retention.Step.Capture(.object, type: "漢字👍", name: "self", isSelf: true)
    let retention = Retention(
      kind: .cycle, isProbable: true,
      steps: [
        .init(
          .closure(.init(.closure, function: "Ä\"\\\n()", capture: capture)),
          site: "Sample/Ä.swift:26", column: 1_234_567_890_123_456),
        .init(.field(.init("漢字👍", "\u{1}", .type("DisposeBag"), .bag))),
        .init(.text("", detail: "")),
        .init(.subscription(SubscriptionID(.max), lane: "search.results"), site: "a"),
      ],
      tail: 1, breakIndex: 0, owner: .bag, limit: .searched(bytes: 1 << 40))
    var line = LineBuffer()
    line.begin(at: 1_234_567, .retained)
    line.integer(.sub, 12)
    line.text(.lane, "search.results")
    retention.encode(&line)
    line.end()
    start.store(0, ordering: .relaxed)
    border.store(0, ordering: .relaxed)
    for fault in [SIGSEGV, SIGBUS] {
      signal(fault) { _ in
        let (start, border) = (
          Explaining.start.load(ordering: .relaxed), Explaining.border.load(ordering: .relaxed)
        )
        _ = write(1, UnsafeRawPointer(bitPattern: start), Int(border - start))
        _ = write(1, "\n", 1)
        mprotect(UnsafeMutableRawPointer(bitPattern: border), 4096, PROT_READ | PROT_WRITE)
      }
    }
    for cut in 1..<line.count {
      let size = 2 * page
      guard
        let memory = mmap(
          nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0),
        memory != MAP_FAILED
      else { return }
      memory.initializeMemory(as: UInt8.self, repeating: UInt8(ascii: "\n"), count: size)
      mprotect(memory + page, page, PROT_NONE)
      let target = memory + page - cut
      start.store(UInt(bitPattern: target), ordering: .relaxed)
      border.store(UInt(bitPattern: memory + page), ordering: .relaxed)
      LinePublisher.publish(line, to: target)
      _ = write(1, target, line.count + 1)
      munmap(memory, size)
    }
  }
}
