import ReactiveKit
import Synchronization

/// The one log of this process: off, being written, or between the two.
enum ActiveLog {
  enum Phase {
    static let unknown: UInt8 = 0
    static let off: UInt8 = 1
    static let on: UInt8 = 2
    static let changing: UInt8 = 3
  }

  static let phase = Atomic<UInt8>(Phase.unknown)
  private static let recorder = Locked<Recorder?>(nil)
  static let variable = "REACTIVE_TRACE"

  /// Looks at the environment once a process; whoever comes meanwhile waits, so that no subscription is missed.
  private static let lookAtEnvironment: Void = {
    guard let path = CText.environment(variable) else {
      phase.store(Phase.off, ordering: .releasing)
      return
    }
    do throws(TraceError) {
      try begin(path, Trace.Options())
    } catch {
      phase.store(Phase.off, ordering: .releasing)
      CText.complain("\(error.sentence); the program runs on untraced.")
    }
  }()

  @inline(never)
  static func currentSlowPath() -> Recorder? {
    _ = lookAtEnvironment
    guard phase.load(ordering: .acquiring) == Phase.on else { return nil }
    return recorder.withLock { $0 }
  }

  static func start(_ path: String, _ options: Trace.Options) throws(TraceError) {
    _ = lookAtEnvironment
    let (isMine, _) = phase.compareExchange(
      expected: Phase.off, desired: Phase.changing, ordering: .acquiringAndReleasing)
    guard isMine else {
      throw .alreadyWriting(path, beside: recorder.withLock { $0?.path })
    }
    do throws(TraceError) {
      try begin(path, options)
    } catch {
      phase.store(Phase.off, ordering: .releasing)
      throw error
    }
  }

  static func stop() {
    _ = lookAtEnvironment
    let (isMine, _) = phase.compareExchange(
      expected: Phase.on, desired: Phase.changing, ordering: .acquiringAndReleasing)
    guard isMine else { return }
    let last = recorder.withLock { recorder in
      defer { recorder = nil }
      return recorder
    }
    ProcessHooks.watch(nil)
    last?.finish()
    phase.store(Phase.off, ordering: .releasing)
  }

  private static func begin(_ path: String, _ options: Trace.Options) throws(TraceError) {
    let new = try Recorder(path: path, options: options)
    recorder.withLock { $0 = new }
    ProcessHooks.watch(new)
    phase.store(Phase.on, ordering: .releasing)
  }
}

extension Recorder {
  /// The log of this process, or nil where tracing is off, which costs one atomic load.
  @inline(__always)
  package static var current: Recorder? {
    if ActiveLog.phase.load(ordering: .acquiring) == ActiveLog.Phase.off { return nil }
    return ActiveLog.currentSlowPath()
  }
}
