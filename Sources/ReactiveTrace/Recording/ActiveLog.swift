import ReactiveKit
import Synchronization

/// Who records in this process: the log, where one is written; a recorder that only knows what is alive, while a leak check
/// runs; or nobody.
enum ActiveLog {
  private struct State {
    var isEnvironmentKnown = false
    var log: Recorder?
    var isChanging = false
    /// How many leak checks run.
    var checks = 0
    /// The recorder of leak checks, made for the first.
    var watcher: Recorder?
    /// Every recorder that `current` may have shown to a thread stays: one takes some hundred bytes once its log is closed.
    var all: [Recorder] = []
  }

  private final class Keeper: Sendable {
    let state = Locked(State())
  }

  /// The address of what keeps the state: a child process begins with a new one, as the lock of the old one may be held by
  /// a thread that the child does not have.
  private static let keeper = Atomic<UInt>(address(of: Keeper()))

  private static func address(of keeper: Keeper) -> UInt {
    // Held for ever, like a global variable.
    UInt(bitPattern: Unmanaged.passRetained(keeper).toOpaque())
  }

  private static func withState<Result>(_ body: (inout State) -> Result) -> Result {
    guard let pointer = UnsafeRawPointer(bitPattern: keeper.load(ordering: .acquiring)) else {
      preconditionFailure("tracing has no state")
    }
    return Unmanaged<Keeper>.fromOpaque(pointer).takeUnretainedValue().state.withLock(body)
  }

  /// The address of the recorder, 0 where there is none, or `unknown`.
  private static let address = Atomic<UInt>(unknown)
  private static let unknown: UInt = 1

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
    return recorder(at: address.load(ordering: .acquiring))
  }

  /// Once a process; whoever comes meanwhile waits, so that no subscription is missed.
  private static let environmentWasSeen: Void = {
    guard let path = Settings.path else { return change { $0.isEnvironmentKnown = true } }
    do throws(TraceError) {
      let log = try Recorder(path: path, options: Settings.options)
      change {
        $0.isEnvironmentKnown = true
        $0.log = log
      }
    } catch {
      CText.complain("\(error.sentence); the program runs on untraced.")
      change { $0.isEnvironmentKnown = true }
    }
  }()

  static func lookAtEnvironment() { _ = environmentWasSeen }

  static func start(_ path: String?, _ sinks: [any LineSink], _ options: Trace.Options)
    throws(TraceError)
  {
    lookAtEnvironment()
    let (isMine, other) = withState { state in
      guard state.log == nil, !state.isChanging else { return (false, state.log?.path) }
      state.isChanging = true
      return (true, nil)
    }
    guard isMine else { throw .alreadyWriting(path ?? "another sink", beside: other) }
    do throws(TraceError) {
      let log = try Recorder(path: path, sinks: sinks, options: options)
      change {
        $0.log = log
        $0.isChanging = false
      }
    } catch {
      change { $0.isChanging = false }
      throw error
    }
  }

  static func stop() {
    lookAtEnvironment()
    let last = withState { state -> Recorder? in
      guard !state.isChanging, let log = state.log else { return nil }
      state.isChanging = true
      return log
    }
    guard let last else { return }
    // Nothing new gets to it, then it is finished, and only then may another begin.
    change { $0.log = nil }
    last.finish()
    change { $0.isChanging = false }
  }

  /// The process exits: another thread that is stopping the log is waited for, for 0.2 seconds.
  static func stopAtExit() {
    stop()
    let clock = LogClock()
    while withState({ $0.isChanging }), clock.now < 200_000_000 { LogClock.yield() }
  }

  /// The log, as far as one is written.
  static var log: Recorder? {
    lookAtEnvironment()
    return withState { $0.log }
  }

  /// What is alive is known from now on, until `endWatching` is called as often as this.
  static func beginWatching() {
    lookAtEnvironment()
    let isFirst = withState { $0.watcher == nil }
    let new = isFirst ? Recorder.watching() : nil
    change { state in
      if state.watcher == nil { state.watcher = new }
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
    new.state.withLock { $0.isEnvironmentKnown = true }
    keeper.store(address(of: new), ordering: .releasing)
    let known = address.exchange(0, ordering: .acquiringAndReleasing)
    if known != unknown { recorder(at: known)?.abandon() }
    Tracing.carryContext(false)
    Tracing.showObservations(false)
  }

  private static func change(_ body: (inout State) -> Void) {
    withState { state in
      body(&state)
      let recorder = state.log ?? (state.checks > 0 ? state.watcher : nil)
      if let recorder, !state.all.contains(where: { $0 === recorder }) {
        state.all.append(recorder)
      }
      let new = recorder.map { UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque()) } ?? 0
      guard state.isEnvironmentKnown else { return }
      let tracksAll =
        recorder.map { $0.options.tracksAllSubscriptions || Settings.tracksAll } ?? false
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
  package static var current: Recorder? { ActiveLog.current }
}
