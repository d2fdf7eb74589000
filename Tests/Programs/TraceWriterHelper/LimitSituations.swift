import ReactiveKit
import ReactiveTrace
import Synchronization
import SystemLibrary
import TestThreads

/// Processes with few system resources.
enum LimitSituations {
  private static let subject = PassthroughSubject<Int, Never>()
  private static let bag = DisposeBag()

  /// Deletes the log, and exits when files are limited to `bytes` bytes, so that the log is only
  /// partly restored.
  static func restore(bytes: Int) {
    let subscription = Modes.subscription("a")
    for element in 0..<bytes / 50 { subscription?.next(text: "element \(element)") }
    guard let path = Trace.path else { return }
    unlink(path)
    ResourceLimit.fileSize.set(bytes)
    exit(0)
  }

  /// Creates all thread-specific keys before tracing begins.
  static func takeKeys(_ path: String) {
    var key = pthread_key_t()
    while pthread_key_create(&key, nil) == 0 {}
    guard (try? Trace.start(path)) != nil else { return }
    for _ in 0..<3 {
      pthread_join(
        OwnThread.start(0) { _ in subject.lane("a").observeNext { _ in }.dispose() }, nil)
    }
    Modes.report("went on\n")
  }

  /// Prints how many megabytes of a limited address space tracing takes.
  static func limitAddresses(gigabytes: Int) {
    ResourceLimit.addressSpace.set(gigabytes << 30)
    let before = freeMegabytes()
    Modes.subscription("a")?.completed()
    Modes.report("\(before - freeMegabytes())\n")
  }

  /// Records more than fits into the address space. Prints how many elements were sent.
  static func outgrowAddresses(megabytes: Int) {
    ResourceLimit.addressSpace.set(megabytes << 20)
    let subscription = Modes.subscription("a")
    let text = String(repeating: "x", count: 100_000)
    let count = megabytes
    for _ in 0..<count { subscription?.next(text: text) }
    // The recorder periodically checks whether there is room again.
    var more = 0
    let start = ContinuousClock.now
    while start.duration(to: .now) < .milliseconds(250) {
      subscription?.next(text: "more")
      more += 1
    }
    Modes.report("\(count + more)\n")
  }

  /// Prints how many bytes of memory are still allocated for each completed file.
  static func countMemoryOfFiles(_ count: Int) {
    #if canImport(Glibc)
      let subscription = Modes.subscription("a")
      let text = String(repeating: "x", count: 40_000)
      // Each element needs a new file.
      for _ in 0..<10 { subscription?.next(text: text) }
      // The end of the main heap, which contains everything that this thread allocates.
      let before = UInt(bitPattern: sbrk(0))
      for _ in 0..<count { subscription?.next(text: text) }
      Modes.report("\((UInt(bitPattern: sbrk(0)) - before) / UInt(count))\n")
    #endif
  }

  private static func freeMegabytes() -> Int {
    let size = 16 << 20
    var blocks: [UnsafeMutableRawPointer] = []
    while let block = mmap(nil, size, PROT_NONE, MAP_PRIVATE | MAP_ANON, -1, 0),
      block != MAP_FAILED
    {
      blocks.append(block)
    }
    for block in blocks { munmap(block, size) }
    return 16 * blocks.count
  }

  /// Exits the process on a thread with a stack of `stackSize` bytes.
  static func exitOnThread(stackSize: Int) {
    subject.observeNext { _ in }.dispose(in: bag)
    startThread(stackSize: stackSize) { exit(0) }
    while true { pause() }
  }

  private static let turns = Atomic<Int>(0)

  /// Exits the process in a signal handler that interrupts the allocator. If `signalStack` isn't
  /// `nil`, the handler runs on a stack of that size with a guard page below it.
  static func exitFromAllocator(signalStack size: Int?) {
    let subscription = Modes.subscription("a")
    subscription?.next(text: "before")
    if let size { provideSignalStack(size) } else { signal(SIGUSR1) { _ in exit(0) } }
    let main = pthread_self()
    startThread {
      while turns.load(ordering: .relaxed) < 1000 { sched_yield() }
      pthread_kill(main, SIGUSR1)
    }
    while true {
      let (first, second) = (malloc(5000), malloc(3000))
      free(first)
      free(second)
      turns.wrappingAdd(1, ordering: .relaxed)
    }
  }

  private static func provideSignalStack(_ size: Int) {
    #if canImport(Glibc)
      let page = 4096
      guard
        let memory = mmap(
          nil, size + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)
      else { return }
      mprotect(memory, page, PROT_NONE)
      var stack = stack_t()
      stack.ss_sp = memory + page
      stack.ss_size = size
      sigaltstack(&stack, nil)
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { _ in exit(0) }
      action.sa_flags = CInt(SA_ONSTACK)
      sigaction(SIGUSR1, &action, nil)
    #endif
  }
}
