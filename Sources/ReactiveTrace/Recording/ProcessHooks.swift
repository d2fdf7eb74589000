import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Ends the log when the process exits, and keeps a forked child out of the log of its parent.
enum ProcessHooks {
  /// The address of the recorder that a child must give up; `ActiveLog` keeps it alive while it stands here.
  private static let watched = Atomic<UInt>(0)

  private static let install: Void = {
    atexit { Trace.stop() }
    // The child shares the file and its memory with the parent, but not the locks' owners: only atomics here.
    pthread_atfork(nil, nil) { ProcessHooks.leaveToParent() }
  }()

  static func watch(_ recorder: Recorder?) {
    _ = install
    let address = recorder.map { UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque()) }
    watched.store(address ?? 0, ordering: .releasing)
  }

  /// In a child that does not replace itself by another program, tracing stays off until it starts a log of its own.
  private static func leaveToParent() {
    let address = UnsafeRawPointer(bitPattern: watched.exchange(0, ordering: .acquiring))
    guard let address else { return }
    Unmanaged<Recorder>.fromOpaque(address).takeUnretainedValue().file.abandon()
    ActiveLog.phase.store(ActiveLog.Phase.off, ordering: .releasing)
  }
}
