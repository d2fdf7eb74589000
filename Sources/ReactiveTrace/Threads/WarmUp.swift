import TraceShims

/// Has all that is made once a process made now, while no thread forks.
///
/// A lazy variable is behind a lock of the language's. A child that was forked while another thread was making one would wait
/// for that thread, which it does not have. So whatever a record touches is touched here.
enum WarmUp {
  static func run() {
    TracingState.prepare()
    LogFile.prepare()
    ThreadContext.prepare()
    ThreadNames.prepare()
    EncodedKey.prepare()
    EncodedEvent.prepare()
    _ = (EnvironmentSettings.tracksAll, EnvironmentSettings.breakpointAction, ReactiveTracer.shared)
    _ = (ThreadName.isMain, ThreadName.queueLabel, ThreadName.threadName)
    _ = TraceScope.current
    _ = ObservedPlaces().resolved
    writeToNobody()
  }

  /// A record goes through all steps, to memory.
  private static func writeToNobody() {
    var line = LineBuffer()
    defer { line.deallocate() }
    let next = ElementLineTemplate(1, "-", &line)
    defer { next.free() }
    line.begin(at: 0, .next)
    line.part(line.place(of: 1, "-"))
    line.text(.value, "\n")
    line.end()
    withUnsafeTemporaryAllocation(byteCount: 512, alignment: 16) { memory in
      guard let start = memory.baseAddress else { return }
      memory.initializeMemory(as: UInt8.self, repeating: UInt8(ascii: "\n"))
      LinePublisher.publish(line, to: start)
      guard let short = ShortText(12) else { return }
      memory.initializeMemory(as: UInt8.self, repeating: UInt8(ascii: "\n"))
      next.publish(LinePrefix(0), short, rest: (0, 0), 16, to: start)
    }
  }
}
