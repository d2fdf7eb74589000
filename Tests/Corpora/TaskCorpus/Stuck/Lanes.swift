import ReactiveTrace

extension TaskCase {
  static let lanes: [TaskCase] = [
    .stuck("lane-lost", "lost-continuation") {
      Trace.task("lane") {  // waits: lane-lost
        await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
      }
    },
    .stuck("lane-in-lane", "lost-continuation") {
      Trace.task("outer") {
        Trace.task("inner") {  // waits: lane-in-lane
          await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
        }
      }
    },
    .fine("lane-of-the-process") {
      Trace.task("server", lifetime: .process) {
        await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
      }
    },
    .fine("lane-that-ends") {
      await Trace.task("work") {}.value
      _ = try? await Trace.task("failing") { throw CancellationError() }.value
    },
    .fine("lane-that-sleeps") {
      Trace.task("poll") { try await Task.sleep(for: .seconds(1000)) }
    },
  ]
}
