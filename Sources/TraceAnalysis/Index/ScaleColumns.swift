import TraceFormat

/// The columns of a scale as one log sees them, whose time is its own.
struct ScaleColumns {
  private let scale: TimeScale
  private let offset: UInt64

  init(_ scale: TimeScale, offset: UInt64) {
    self.scale = scale
    self.offset = offset
  }

  /// The times that the scale shows; nil where it shows none of the log.
  var stretch: ClosedRange<UInt64>? {
    let end = scale.start.after(scale.duration.count).count
    // Nothing is behind the end of time.
    let last = scale.includesEnd || end == .max ? end : end - min(end, 1)
    guard last >= offset, last >= scale.start.count else { return nil }
    let first = scale.start.count - min(scale.start.count, offset)
    return first...(last == .max ? .max : last - offset)
  }

  @inline(__always)
  func column(of time: UInt64) -> Int {
    scale.column(of: Nanoseconds(time).after(offset))
  }

  /// The first time that falls into a column.
  func start(of column: Int) -> UInt64 {
    let time = scale.start(of: column).count
    return time - min(time, offset)
  }
}
