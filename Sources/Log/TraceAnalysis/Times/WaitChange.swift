import TraceFormat

/// The beginning or the end of a wait of a task, in a number that sorts by time.
///
/// A log can have millions of waits. So a change takes no more memory than the time of an element,
/// and both are stored in the same way.
struct WaitChange: Equatable, Sendable {
  /// The time in the log's own time, and the kind of the change in the lowest bits.
  let number: UInt64

  private static let kindBits: UInt64 = 3
  /// The latest time that can be stored, 73 years. Only a damaged log has later ones.
  static let maxTime = UInt64.max >> kindBits

  init(number: UInt64) { self.number = number }

  /// Creates the end of a wait.
  init(resumedAt time: Nanoseconds) {
    number = min(time.count, Self.maxTime) << Self.kindBits
  }

  /// Creates the beginning of a wait. `wait` is nil if it isn't known for what the task waits.
  init(_ wait: UnfinishedTask.Wait?, at time: Nanoseconds) {
    number = min(time.count, Self.maxTime) << Self.kindBits | Self.kind(of: wait)
  }

  var time: UInt64 { number >> Self.kindBits }
  /// The kind of the change as an index below `kinds`; 0 for the end of a wait.
  var kind: Int { Int(number & (1 << Self.kindBits - 1)) }
  static let kinds = 1 << Int(kindBits)
  var isWait: Bool { kind != 0 }
  var wait: UnfinishedTask.Wait? {
    switch kind {
    case 2: .continuation
    case 3: .task
    case 4: .group
    case 5: .executor
    default: nil
    }
  }

  private static func kind(of wait: UnfinishedTask.Wait?) -> UInt64 {
    switch wait {
    case nil: 1
    case .continuation: 2
    case .task: 3
    case .group: 4
    case .executor: 5
    }
  }

  /// Returns the lowest number of a change at a time.
  static func firstNumber(at time: UInt64) -> UInt64 {
    time > maxTime ? .max : time << kindBits
  }
}
