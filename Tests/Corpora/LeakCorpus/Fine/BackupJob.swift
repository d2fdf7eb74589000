import Dispatch
import ReactiveKit

extension LeakCase {
  static let backupJob = fine(
    "dispatch-async-done", lanes: ["backup.files"],
    .now {
      let job = BackupJob()
      job.run()
      return job
    })
}

enum BackupStore {
  static let files = PassthroughSubject<String, Never>()
}

/// A job that enqueues blocks and a notification that retain it. All of them run.
final class BackupJob: @unchecked Sendable {
  private var files = 0
  private let bag = DisposeBag()

  func run() {
    BackupStore.files
      .traced("backup.files")
      .observeNext { [weak self] _ in self?.files += 1 }  // observed
      .dispose(in: bag)
    let queue = DispatchQueue(label: "backup")
    let group = DispatchGroup()
    for _ in 0..<20 { queue.async(group: group) { self.files += 1 } }
    group.notify(queue: queue) { self.files = 0 }
    group.wait()
    // A serial queue releases a block before it performs the next one.
    for _ in 0..<2 { queue.sync {} }
  }
}
