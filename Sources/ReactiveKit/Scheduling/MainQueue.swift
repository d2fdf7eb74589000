import Dispatch

/// A check for the main queue and the main thread. Neither check is enough alone: with
/// `dispatchMain()` on Linux, another thread serves the main queue, and the `sync` method of
/// another queue can run its work on the main thread.
enum MainQueue {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  static var isCurrent: Bool {
    DispatchQueue.getSpecific(key: key) == true || MainThread.isCurrent
  }
}
