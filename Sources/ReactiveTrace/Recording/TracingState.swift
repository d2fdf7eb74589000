import ReactiveKit
import Synchronization
import TraceFormat
import TraceShims

/// Who records in this process: the log, where one is written; a recorder that only knows what is alive, while a leak check
/// runs; or nobody.
enum TracingState {
  private struct State {
    var environment = Environment.unread
    var log: Recorder?
    /// The thread that starts or stops a log, 0 where none does.
    var changer: UInt = 0
    var isChanging: Bool { changer != 0 }
    /// How many leak checks run.
    var checks = 0
    /// The recorder of leak checks, made for the first.
    var watcher: Recorder?
    /// Every recorder that `current` may have shown to a thread stays: one takes some hundred bytes once its log is closed.
    var all: [Recorder] = []
  }

  private enum Environment {
    case unread
    case beingRead
    case read
  }

  private final class Keeper: Sendable {
    let state = Guarded(State())
    /// Set with the last of `environment`, for who only wants to know that.
    let isEnvironmentRead = Atomic<Bool>(false)
  }

  /// A child process begins with a new one, as the lock of the old one may be held by a thread that the child does not have.
  private static let keeper = Replaceable { Keeper() }

  private static func withState<Result>(_ body: (inout State) -> Result) -> Result {
    keeper.current.state.withLock(body)
  }

  /// The address of the recorder, 0 where there is none, or `unknown`.
  private static let address = Atomic<UInt>(unknown)
  private static let unknown: UInt = 1
  /// That of the recorder of leak checks, 0 where there is none.
  private static let watcherAddress = Atomic<UInt>(0)

  /// The recorder, or nil where tracing is off, which costs one atomic load.
  @inline(__always)
  static var current: Recorder? {
    let known = address.load(ordering: .acquiring)
    if known == 0 { return nil }
    if known != unknown { return recorder(at: known) }
    return currentSlowPath()
  }

  private static func recorder(at address: UInt) -> Recorder? {
    UnsafeRawPointer(bitPattern: address).map {
      Unmanaged<Recorder>.fromOpaque($0).takeUnretainedValue()
    }
  }

  @inline(never)
  private static func currentSlowPath() -> Recorder? {
    lookAtEnvironment()
    let known = address.load(ordering: .acquiring)
    return known == unknown ? nil : recorder(at: known)
  }

  /// Once a process; whoever comes meanwhile waits, so that no subscription is missed. No lazy variable: a child that was
  /// forked meanwhile would wait for ever.
  @inline(__always)
  static func lookAtEnvironment() {
    if !keeper.current.isEnvironmentRead.load(ordering: .acquiring) { lookSlowPath() }
  }

  /// The process that reads the environment.
  private static let reader = Atomic<Int>(0)

  @inline(never)
  private static func lookSlowPath() {
    ProcessHooks.install()
    // A signal handler that has interrupted whoever reads would wait for its own thread.
    while !Inside.isInside {
      let known = withState { state in
        guard state.environment == .unread else { return state.environment }
        state.environment = .beingRead
        reader.store(ProcessHooks.process, ordering: .relaxed)
        return .unread
      }
      switch known {
      case .unread: return readEnvironment()
      case .beingRead where reader.load(ordering: .relaxed) != ProcessHooks.process:
        // Forked before the hooks were there: whoever reads is in the parent.
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
        log = try makeRecorder(path, [], EnvironmentSettings.options)
      } catch {
        Diagnostics.warn("\(error.sentence); the program runs on untraced.")
      }
    }
    change { state in
      state.environment = .read
      state.log = log
    }
    keeper.current.isEnvironmentRead.store(true, ordering: .releasing)
  }

  /// Nobody forks meanwhile: what is made once a process is made here, and a child that began in the middle of that would wait
  /// for it for ever.
  private static func makeRecorder(
    _ path: String?, _ sinks: [any LogSink], _ options: Trace.Options
  ) throws(TraceError) -> Recorder {
    ProcessHooks.install()
    return try ProcessHooks.withoutFork { () throws(TraceError) -> Recorder in
      WarmUp.run()
      return try Recorder(path: path, sinks: sinks, options: options)
    }
  }

  static func start(_ path: String?, _ sinks: [any LogSink], _ options: Trace.Options)
    throws(TraceError)
  {
    lookAtEnvironment()
    // A signal handler that has interrupted the recorder would wait for its own thread.
    guard !Inside.isInside else { throw .alreadyWriting(path ?? "another sink", beside: nil) }
    let (isMine, other) = withState { state in
      guard state.log == nil, !state.isChanging else { return (false, state.log?.path) }
      state.changer = trace_thread()
      return (true, nil)
    }
    guard isMine else { throw .alreadyWriting(path ?? "another sink", beside: other) }
    do throws(TraceError) {
      let log = try makeRecorder(path, sinks, options)
      change {
        $0.log = log
        $0.changer = 0
      }
    } catch {
      change { $0.changer = 0 }
      throw error
    }
  }

  static func stop() {
    lookAtEnvironment()
    stop(atExit: false)
  }

  static func stopAtExit() { stop(atExit: true) }

  /// Another thread that is stopping the log is waited for, for 0.2 seconds.
  private static func stop(atExit: Bool) {
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

  private static func stop(by deadline: Int, atExit: Bool) {
    let last = keeper.current.state.withLock(until: deadline) { state -> Recorder? in
      guard !state.isChanging, let log = state.log else { return nil }
      state.changer = trace_thread()
      return log
    }
    guard let last = last ?? nil else { return }
    // Nothing new gets to it, then it is finished, and only then may another begin.
    change { $0.log = nil }
    last.finish(by: deadline, atExit: atExit)
    change { $0.changer = 0 }
  }

  /// See `WarmUp`. Without the optimizer the type of what is asked for here is made at run time, once and under a lock of the
  /// language's; at exit a signal handler may have interrupted its own thread in that.
  static func prepare() {
    _ = keeper.current.state.withLock(until: .max) { $0.log }
    var none: [Recorder] = []
    none.reserveCapacity(1)
    _ = isAny(of: none, nil)
  }

  private static func isAny(of recorders: [Recorder], _ recorder: Recorder?) -> Bool {
    recorders.contains { $0 === recorder }
  }

  /// The log, as far as one is written.
  static var log: Recorder? {
    lookAtEnvironment()
    return keeper.current.state.withLock(until: LogClock.monotonic() + LogFile.patience) {
      $0.log
    } ?? nil
  }

  /// What is alive is known from now on, until `endWatching` is called as often as this.
  static func beginWatching() {
    lookAtEnvironment()
    let isFirst = withState { $0.watcher == nil }
    // Nothing is opened, so nothing can fail.
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

  /// The recorders that may come to know of a subscription now.
  static var recorders: [Recorder] { withState { [$0.log, $0.watcher].compactMap { $0 } } }

  static func endWatching() {
    change { $0.checks = max(0, $0.checks - 1) }
  }

  /// In a child process, which shares the file with its parent: tracing is off until it starts a log of its own.
  static func leaveToParent() {
    ThreadContext.beginInChild()
    let new = Keeper()
    new.state.withLock { $0.environment = .read }
    new.isEnvironmentRead.store(true, ordering: .relaxed)
    keeper.replace(new)
    let known = address.exchange(0, ordering: .acquiringAndReleasing)
    if known != unknown { recorder(at: known)?.abandon() }
    // A leak check may have been there before the log.
    recorder(at: watcherAddress.exchange(0, ordering: .acquiringAndReleasing))?.abandon()
    Tracing.carryContext(false)
    Tracing.showObservations(false)
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
      let tracksAll =
        recorder.map { $0.options.tracksAllSubscriptions || EnvironmentSettings.tracksAll } ?? false
      Tracing.install(ReactiveTracer.shared)
      Tracing.carryContext(recorder != nil)
      Tracing.showObservations(tracksAll)
      address.store(new, ordering: .releasing)
    }
    ProcessHooks.install()
  }
}

extension Recorder {
  /// The recorder of this process, or nil where tracing is off, which costs one atomic load.
  @usableFromInline
  package static var current: Recorder? { TracingState.current }
}
