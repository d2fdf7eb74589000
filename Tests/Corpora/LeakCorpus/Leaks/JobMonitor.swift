import ReactiveKit

extension LeakCase {
  static let jobMonitor = held(
    "task-weak-running", lanes: ["monitor.jobs"], roots: ["Task", "JobQueue.jobs"],
    holder: ["Task"], alive: true,
    release: "the optimizer merges the method into its caller, and leaves the line of the call",
    .later {
      let monitor = JobMonitor()
      monitor.start()
      await wait { monitor.running == 2 }
      return monitor
    })
}

enum JobQueue {
  static let jobs = Property(2)
}

/// A monitor that its task captures weakly, but whose running method retains it.
@MainActor
final class JobMonitor {
  private(set) var running = 0

  func start() {
    Task { [weak self] in await self?.follow() }
  }

  private func follow() async {
    for await jobs in JobQueue.jobs.traced("monitor.jobs").values {  // observed
      running = jobs
    }
  }
}
