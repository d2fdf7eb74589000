import TraceFormat

/// The columns of a scale, in one log's own time.
struct ScaleColumns {
  private let scale: TimeScale
  private let offset: UInt64

  init(_ scale: TimeScale, offset: UInt64) {
    self.scale = scale
    self.offset = offset
  }

  /// The time range that the scale shows; nil if it doesn't show any part of the log.
  var times: ClosedRange<UInt64>? {
    let (start, end) = (scale.times.start.count, scale.times.end.count)
    // There is no time after the maximum.
    let last = scale.includesEnd || end == .max ? end : end - min(end, 1)
    guard last >= offset, last >= start else { return nil }
    let first = start - min(start, offset)
    return first...(last == .max ? .max : last - offset)
  }

  @inline(__always)
  func column(of time: UInt64) -> Int {
    scale.column(of: Nanoseconds(time).after(offset))
  }

  /// Returns the first time in a column.
  func start(of column: Int) -> UInt64 {
    let time = scale.start(of: column).count
    return time - min(time, offset)
  }
}
