import TraceShims

/// The creation of all once-per-process values at a time when no thread forks.
///
/// The language guards lazy variables with a lock. If a child is forked while another thread
/// creates such a variable, the child would wait for a thread that it does not have. So everything
/// that a record uses is used here first.
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
    _ = (
      TraceScope.current, PlanTable.shared.plan(of: Metadata.address(of: [Int].self), wait: true)
    )
    let locations = ObservationLocations(PlaceTable())
    _ = (PlaceTable.current, locations.resolved, locations.use(locations.here(), as: .observed))
    writeToNobody()
  }

  /// Sends a record through all steps, to memory instead of a file.
  private static func writeToNobody() {
    var line = LineBuffer()
    defer { line.deallocate() }
    let next = ElementLineTemplate(1, "-", &line)
    defer { next.free() }
    line.begin(at: 0, .next)
    line.integer(.sub, 1)
    line.text(.lane, "-")
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
