import ReactiveKit

extension LeakCase {
  static let backgroundJob = fine(
    "disposed-on-other-thread", lanes: ["job.progress"],
    .now {
      let job = BackgroundJob()
      let subscription = job.start()
      race({ Factory.progress.send(1) }, { subscription.cancel() })
      return job
    })
}

enum Factory {
  static let progress = PassthroughSubject<Int, Never>()
}

/// A job that captures itself strongly until another thread cancels it.
final class BackgroundJob {
  private let progress = Property(0)

  func start() -> AnyCancellable {
    Factory.progress
      .traced("job.progress")
      .sink { self.progress.value = $0 }  // observed
  }
}
