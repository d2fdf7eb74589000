import CRuntime.OwnProcess
import SwiftRuntime
import Synchronization

/// Functions that create all once-per-process values while forking is blocked.
///
/// Swift protects the initialization of static variables with a lock. A child that is forked while
/// another thread initializes such a variable would wait for a thread that doesn't exist in the
/// child. So everything that a record uses is used here first.
enum WarmUp {
  static func run() {
    TracingState.prepare()
    LogFile.prepare()
    ThreadContext.prepare()
    ThreadNames.prepare()
    EncodedKey.prepare()
    EncodedEvent.prepare()
    _ = (EnvironmentSettings.tracksAll, EnvironmentSettings.breakpointAction, ReactiveTracer.shared)
    _ = (EnvironmentSettings.tracksTasks, EnvironmentSettings.countsInstances)
    _ = (ThreadName.isMain, ThreadName.queueLabel, ThreadName.threadName)
    TraceScope.prepare()
    _ = Atomic(TaskLimit.none).load(ordering: .relaxed)
    _ = PlanTable.shared.plan(of: Metadata.address(of: [Int].self), wait: true)
    let locations = ObservationLocations(PlaceTable())
    _ = (PlaceTable.current, locations.resolved, locations.use(locations.here(), as: .observed))
    writeToMemory()
  }

  /// Sends a record through all steps, to memory instead of a file.
  private static func writeToMemory() {
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
