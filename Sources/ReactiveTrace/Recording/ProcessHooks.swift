import ReactiveKit

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  import Darwin
#endif

/// Ends the log when the process exits, and keeps a forked child out of the log of its parent.
enum ProcessHooks {
  private static let isInstalled: Void = {
    atexit { ActiveLog.stopAtExit() }
    pthread_atfork(nil, nil) { ActiveLog.leaveToParent() }
  }()

  static func install() { _ = isInstalled }
}

/// Called before `main` where `REACTIVE_TRACE_ALL` is set, wherever this module is linked: observations are shown from the
/// first one on. The log is opened when there is one, not here: a program that observes nothing must not replace a log.
@_cdecl("reactive_trace_launch")
func launch() {
  guard Settings.tracksAll else { return }
  Tracing.install(ReactiveTracer.shared)
  Tracing.showObservations(true)
}
