import TraceAnalysis

/// The states of the log as they arrive, and those that wait while the view is frozen.
struct LogFeed: Sendable {
  /// The progress of reading, and the growth rate of the log.
  private(set) var reading = ReadingState()
  /// The requested arrangement. `ViewedLog.arrangement` is the shown one.
  var arrangement = Arrangement()
  /// The filter that is turned off and can be turned on again.
  var suspended: ViewFilter?
  /// A Boolean value that indicates whether the view stays unchanged while a log grows.
  private(set) var isFrozen = false
  /// The state to show when the view is no longer frozen.
  private(set) var held: (viewed: ViewedLog, reading: ReadingState)?
  private var wasComplete = false

  init(follows: Bool) {
    reading.follows = follows
  }

  /// Takes the progress of reading, and returns a notice if the files have changed since the last
  /// call.
  mutating func note(_ reading: ReadingState) -> Notice? {
    defer { self.reading = reading }
    guard let change = reading.change, self.reading.change == nil else { return nil }
    return Notice(text: change, isError: true)
  }

  /// Reports whether to show a new state now. If the view is frozen, the state waits.
  mutating func accepts(_ new: ViewedLog, over shown: LogSnapshot) -> Bool {
    let isSame = new.snapshot.restarts == shown.restarts
    if isFrozen, isSame, new.snapshot.revision != shown.revision {
      held = (new, reading)
      return false
    }
    // Another log in the file ends the freeze.
    if !isSame { isFrozen = false }
    if !isFrozen { held = nil }
    return true
  }

  /// Freezes the view, or returns the state that waited.
  mutating func toggleFreeze() -> (viewed: ViewedLog, reading: ReadingState)? {
    isFrozen.toggle()
    guard !isFrozen else { return nil }
    defer { held = nil }
    return held
  }

  /// Returns true once, when everything has been read.
  mutating func completes() -> Bool {
    guard reading.isComplete, !reading.follows, !wasComplete else { return false }
    wasComplete = true
    return true
  }
}

/// The progress of reading.
struct ReadingState: Equatable, Sendable {
  var bytesRead = 0
  var bytesTotal = 0
  var isComplete = false
  /// A Boolean value that indicates whether the log may still grow.
  var follows = false
  /// The number of records per second, while a log grows.
  var rate: Int?
  /// The reason that reading stopped, or a description of a file that can't be read.
  var problem: String?
  /// A Boolean value that indicates whether the followed log is no longer at its path.
  var isGone = false
  /// The reason that the shown data can't be read again.
  var change: String?

  /// The share that has been read, from 0 to 1.
  var share: Double {
    bytesTotal > 0 ? min(1, Double(bytesRead) / Double(bytesTotal)) : 0
  }
}
