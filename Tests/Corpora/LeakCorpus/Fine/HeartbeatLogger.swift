import ReactiveKit
import ReactiveTrace

extension LeakCase {
  static let heartbeatLogger = fine(
    "process-lifetime-discarded", lanes: ["heartbeat.beats", "heartbeat.sum"], alive: true,
    .now {
      let logger = HeartbeatLogger()
      logger.start()
      Heart.beats.send(1)
      return logger
    })
}

enum Heart {
  static let beats = PassthroughSubject<Int, Never>()
}

/// A logger that counts until the process exits, and declares this lifetime on both lanes.
final class HeartbeatLogger {
  private var beats = 0

  func start() {
    _ = Heart.beats
      .traced("heartbeat.beats", lifetime: .process)
      .scan(0, +)
      .traced("heartbeat.sum", lifetime: .process)
      .observeNext { self.beats = $0 }  // observed
  }
}
