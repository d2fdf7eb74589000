import CRuntime.OwnProcess
import ReactiveKit
import Synchronization
import SystemLibrary
import TraceFormat

/// The recorder of this process: the one that writes a log, or one that only tracks live
/// subscriptions while a leak check runs without a log, or none.
enum TracingState {
  private struct State {
    var environment = Environment.unread
    var log: Recorder?
    /// A Boolean value that indicates whether `REACTIVE_TRACE` started the log.
    var isFromEnvironment = false
    /// A Boolean value that indicates whether the program was warned that `REACTIVE_TRACE` takes
    /// precedence.
    var hasWarned = false
    /// The thread that is starting or stopping a log, or 0 if there isn't one.
    var changer: UInt = 0
    var isChanging: Bool { changer != 0 }
    /// The number of running leak checks.
    var checks = 0
    /// The recorder for leak checks, made for the first one.
    var watcher: Recorder?
    /// All recorders that `current` can have returned to a thread. They are never deallocated. A
    /// recorder takes a few thousand bytes after its log is closed.
    var all: [Recorder] = []
  }

  private enum Environment {
    case unread
    case beingRead
    case read
  }

  private final class Keeper: Sendable {
    let state = Guarded(State())
    /// A Boolean value that indicates whether `environment` has its last value. Reading it doesn't
    /// take the lock.
    let isEnvironmentRead = Atomic<Bool>(false)
  }

  /// The current state. A child process begins with a new one, because the old one's lock can be
  /// held by a thread that doesn't exist in the child.
  private static let keeper = Replaceable { Keeper() }

  private static func withState<Result>(_ body: (inout State) -> Result) -> Result {
    keeper.current.state.withLock(body)
  }

  /// The address of the recorder, 0 if there isn't one, or `unknown`.
  private static let address = Atomic<UInt>(unknown)
  private static let unknown: UInt = 1
  /// The address of the recorder for leak checks, or 0 if there isn't one.
  private static let watcherAddress = Atomic<UInt>(0)

  /// The recorder, or nil if tracing is off. In that case, reading this property costs one atomic
  /// load.
  @inline(__always)
  static var current: Recorder? {
    let known = address.load(ordering: .acquiring)
    if known == 0 { return nil }
    if known != unknown { return recorder(at: known) }
    return currentSlowPath()
  }

  /// The recorder without reference counting, because it is never deallocated.
  static var currentHandle: RecorderHandle? {
    let known = address.load(ordering: .acquiring)
    if known == unknown { return currentSlowPath().map { RecorderHandle($0) } }
    return UnsafeRawPointer(bitPattern: known).map { RecorderHandle(at: $0) }
  }

  /// A Boolean value that indicates whether observations without a lane are traced. Reading it
  /// doesn't open a log: a program that only observes without lanes must not replace a log.
  static var tracksAll: Bool {
    let known = address.load(ordering: .acquiring)
    if known == 0 { return false }
    if known == unknown { return EnvironmentSettings.tracksAll }
    guard let recorder = UnsafeRawPointer(bitPattern: known) else { return false }
    return Unmanaged<Recorder>.fromOpaque(recorder)._withUnsafeGuaranteedRef { $0.tracksAll }
  }

  private static func recorder(at address: UInt) -> Recorder? {
    UnsafeRawPointer(bitPattern: address).map {
      Unmanaged<Recorder>.fromOpaque($0).takeUnretainedValue()
    }
  }

  /// The recorder, or nil if the log isn't open yet.
  static var opened: Recorder? {
    let known = address.load(ordering: .acquiring)
    return known == 0 || known == unknown ? nil : recorder(at: known)
  }

  @inline(never)
  private static func currentSlowPath() -> Recorder? {
    lookAtEnvironment()
    let known = address.load(ordering: .acquiring)
    return known == unknown ? nil : recorder(at: known)
  }

  /// Reads the environment once per process. Callers that arrive in the meantime wait, so that all
  /// subscriptions are recorded. This isn't a lazy variable, because a child that was forked in the
  /// meantime would wait forever.
  @inline(__always)
  static func lookAtEnvironment() {
    if !keeper.current.isEnvironmentRead.load(ordering: .acquiring) { lookSlowPath() }
  }

  /// A Boolean value that is true after the process has started to create a recorder. At the exit
  /// of a program that isn't traced, only this value is read.
  private static let hasRecorder = Atomic<Bool>(false)

  /// The process that reads the environment.
  private static let reader = Atomic<Int>(0)

  @inline(never)
  private static func lookSlowPath() {
    installHooks()
    // A signal handler that interrupted the reading thread would deadlock with its own thread.
    while !Inside.isInside {
      let known = withState { state in
        guard state.environment == .unread else { return state.environment }
        state.environment = .beingRead
        reader.store(ProcessHooks.process, ordering: .relaxed)
        return .unread
      }
      switch known {
      case .unread:
        return trace_with_stack({ _ in TracingState.readEnvironment() }, nil)
      case .beingRead where reader.load(ordering: .relaxed) != ProcessHooks.process:
        // The process was forked before the hooks were installed. The reading thread is in the
        // parent.
        return leaveToParent()
      case .beingRead: LogClock.yield()
      case .read: return
      }
    }
  }

  private static func readEnvironment() {
    trace_enter()
    defer { trace_leave() }
    var log: Recorder?
    if let path = EnvironmentSettings.path {
      do throws(TraceError) {
        var options = EnvironmentSettings.options
        options.recordsTests = true
        log = try makeRecorder(path, [], options, isFromEnvironment: true)
      } catch {
        Diagnostics.warn("\(error.message); the program continues without tracing.")
      }
    }
    change { state in
      state.environment = .read
      state.log = log
      state.isFromEnvironment = log != nil
    }
    keeper.current.isEnvironmentRead.store(true, ordering: .releasing)
  }

  /// Creates a recorder while forking is blocked. This also initializes everything that is made
  /// once per process, because a child that was forked in the middle of that would wait for it
  /// forever.
  private static func makeRecorder(
    _ path: String?, _ sinks: [any LogSink], _ options: Trace.Options,
    isFromEnvironment: Bool = false
  ) throws(TraceError) -> Recorder {
    hasRecorder.store(true, ordering: .relaxed)
    installHooks()
    let isLog = path != nil || !sinks.isEmpty
    // The environment requests a recording of the whole process.
    let firstTask = isFromEnvironment ? 0 : isLog ? TaskNumber.next() : nil
    return try ProcessHooks.withoutFork { () throws(TraceError) -> Recorder in
      WarmUp.run()
      let run = isFromEnvironment ? path.flatMap { RunName.current(logPath: $0) } : nil
      return try Recorder(
        path: path, sinks: sinks, options: options, identity: .current(run: run),
        firstTask: firstTask,
        scopeObserver: isLog ? InstanceCounts.requestedObserver : nil)
    }
  }

  /// Starts a log. If `REACTIVE_TRACE` has started a log and the program only requests a file, the
  /// environment's log continues instead.
  static func start(_ path: String?, _ sinks: [any LogSink], _ options: Trace.Options)
    throws(TraceError)
  {
    lookAtEnvironment()
    // A signal handler that interrupted the recorder would deadlock with its own thread.
    guard !Inside.isInside else { throw .alreadyWriting(path ?? "another sink", current: nil) }
    if let path, sinks.isEmpty, environmentTakesPrecedence(over: path) { return }
    let (isMine, other) = withState { state in
      guard state.log == nil, !state.isChanging else { return (false, state.log?.path) }
      state.changer = trace_thread()
      return (true, nil)
    }
    guard isMine else { throw .alreadyWriting(path ?? "another sink", current: other) }
    do throws(TraceError) {
      let log = try makeRecorder(path, sinks, options)
      change {
        $0.log = log
        $0.changer = 0
      }
      TaskHooks.begin()
    } catch {
      change { $0.changer = 0 }
      throw error
    }
  }

  /// Returns whether the environment's log is being written, and warns once that it continues.
  private static func environmentTakesPrecedence(over path: String) -> Bool {
    let (log, isFirst) = withState { state -> (Recorder?, Bool) in
      guard state.isFromEnvironment, let log = state.log else { return (nil, false) }
      defer { state.hasWarned = true }
      return (log, !state.hasWarned)
    }
    guard let log else { return false }
    if isFirst {
      Diagnostics.warn(
        "REACTIVE_TRACE is set, so the log goes to '\(log.path ?? "standard output or error")', "
          + "and Trace.start(\"\(path)\") has no effect.")
    }
    return true
  }

  /// Makes the process stop its log when it exits, and its children leave the log to it.
  static func installHooks() {
    ProcessHooks.install {
      TracingState.stopAtExit()
    } inChild: {
      TracingState.leaveToParent()
    }
  }

  static func stop() {
    lookAtEnvironment()
    trace_with_stack({ _ in TracingState.stop(atExit: false) }, nil)
  }

  /// Stops the log. A thread can exit with hardly any stack left, so this can run on another stack.
  static func stopAtExit() {
    guard hasRecorder.load(ordering: .relaxed) else { return }
    trace_with_stack({ _ in TracingState.stop(atExit: true) }, nil)
  }

  /// Stops the log. Waits at most 0.2 seconds for another thread that is stopping it.
  private static func stop(atExit: Bool) {
    #if os(Linux)
      if atExit { TaskLives.endCurrent() }
    #endif
    explainLeaks()
    let deadline = LogClock.monotonic() + LogFile.patience
    stop(by: deadline, atExit: atExit)
    let own = trace_thread()
    while keeper.current.state.withLock(
      until: deadline, { $0.isChanging && $0.changer != own }) == true,
      LogClock.monotonic() < deadline
    {
      LogClock.yield()
    }
  }

  /// Writes why subscriptions are alive. This can take seconds, during which another thread can
  /// stop the log.
  private static func explainLeaks() {
    guard !Inside.isInside else { return }
    let known = keeper.current.state.withLock(until: LogClock.monotonic() + LogFile.patience) {
      $0.isChanging ? nil : $0.log
    }
    guard let log = known ?? nil, LeakExplanations.mayBegin else { return }
    log.explainLeaks()
  }

  private static func stop(by deadline: Int, atExit: Bool) {
    let last = keeper.current.state.withLock(until: deadline) { state -> Recorder? in
      guard !state.isChanging, let log = state.log else { return nil }
      state.changer = trace_thread()
      return log
    }
    guard let last = last ?? nil else { return }
    // First, new records are no longer accepted. Then the log is finished. Only after that can
    // another log begin.
    change {
      $0.log = nil
      $0.isFromEnvironment = false
    }
    last.finish(by: deadline, atExit: atExit)
    // A task that is forgotten while the log is open would begin again.
    TaskHooks.end(atExit: atExit || Inside.isInside)
    change { $0.changer = 0 }
  }

  /// Runs the code for stopping at exit once in advance. See `WarmUp`. Without the optimizer, the
  /// types that are used here are created at run time, under a lock of the Swift runtime. At exit,
  /// a signal handler can have interrupted its own thread while it held that lock.
  static func prepare() {
    _ = keeper.current.state.withLock(until: .max) { $0.log }
    var none: [Recorder] = []
    none.reserveCapacity(1)
    _ = isAny(of: none, nil)
  }

  private static func isAny(of recorders: [Recorder], _ recorder: Recorder?) -> Bool {
    recorders.contains { $0 === recorder }
  }

  /// The log, if one is written.
  static var log: Recorder? {
    lookAtEnvironment()
    return keeper.current.state.withLock(until: LogClock.monotonic() + LogFile.patience) {
      $0.log
    } ?? nil
  }

  /// Tracks live subscriptions until `endWatching` is called as often as this function.
  static func beginWatching() {
    lookAtEnvironment()
    let isFirst = withState { $0.watcher == nil }
    // This doesn't open a file, so it can't fail.
    let new = isFirst ? try? makeRecorder(nil, [], Trace.Options()) : nil
    change { state in
      if state.watcher == nil, let new {
        state.watcher = new
        watcherAddress.store(
          UInt(bitPattern: Unmanaged.passUnretained(new).toOpaque()), ordering: .releasing)
      }
      state.checks += 1
    }
  }

  /// The recorders that can get new subscriptions now.
  static var recorders: [Recorder] { withState { [$0.log, $0.watcher].compactMap { $0 } } }

  static func endWatching() {
    change { $0.checks = max(0, $0.checks - 1) }
  }

  /// Turns tracing off in a child process, because the child shares the file with its parent.
  /// Tracing stays off until the child starts its own log.
  static func leaveToParent() {
    WritingThread.beginInChild()
    PlaceTable.beginInChild()
    let new = Keeper()
    new.state.withLock { $0.environment = .read }
    new.isEnvironmentRead.store(true, ordering: .relaxed)
    keeper.replace(new)
    let known = address.exchange(0, ordering: .acquiringAndReleasing)
    if known != unknown { recorder(at: known)?.abandon() }
    // The recorder of a leak check can be older than the log.
    recorder(at: watcherAddress.exchange(0, ordering: .acquiringAndReleasing))?.abandon()
    Tracing.carryContext(false)
    Tracing.showObservations(false)
    TaskHooks.endInChild()
  }

  private static func change(_ body: (inout State) -> Void) {
    withState { state in
      body(&state)
      let recorder = state.log ?? (state.checks > 0 ? state.watcher : nil)
      if let recorder, !isAny(of: state.all, recorder) {
        state.all.append(recorder)
      }
      let new = recorder.map { UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque()) } ?? 0
      guard state.environment == .read else { return }
      Tracing.install(ReactiveTracer.shared)
      Tracing.carryContext(recorder != nil)
      Tracing.showObservations(recorder != nil)
      address.store(new, ordering: .releasing)
    }
    installHooks()
  }
}

extension Recorder {
  /// The recorder of this process, or nil if tracing is off. In that case, reading this property
  /// costs one atomic load.
  @usableFromInline
  package static var current: Recorder? { TracingState.current }

  /// The recorder, or nil if tracing is off or if the log isn't open yet. Reading this property
  /// doesn't open a log.
  static var opened: Recorder? { TracingState.opened }
}
