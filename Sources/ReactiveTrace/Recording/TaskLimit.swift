import Synchronization
import TraceFormat

/// Why it isn't known which tasks can continue.
enum TaskLimit: UInt8, AtomicRepresentable {
  /// It is known.
  case none
  case time, memory, platform

  init(_ limit: Retention.Limit) {
    self =
      switch limit {
      case .time: .time
      case .memory: .memory
      case .searched, .notAnObservation, .platform, .trait: .platform
      }
  }

  /// The text of the key `reason`, which needs no memory of the allocator.
  var word: String? {
    switch self {
    case .none: nil
    case .time: Retention.Limit.Word.time.rawValue
    case .memory: Retention.Limit.Word.memory.rawValue
    case .platform: Retention.Limit.Word.platform.rawValue
    }
  }
}
