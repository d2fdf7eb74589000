import TraceFormat

/// What the record of an element needs of its recorder, without a reference that would have to be counted: all threads
/// would count in one place, which costs more than the rest of a record.
///
/// The subscription that has this holds the recorder.
struct RecorderHandle: Sendable {
  private let recorder: Unmanaged<Recorder>
  private let writer: Unmanaged<LogWriter>?
  private let origin: Int
  let valueLimit: Int
  /// Whether somebody gets to see the elements.
  let takesElements: Bool
  /// Whether records go to a file and nowhere else.
  let isFileAlone: Bool

  init(_ recorder: Recorder) {
    self.recorder = Unmanaged.passUnretained(recorder)
    writer = recorder.writer.map { Unmanaged.passUnretained($0) }
    origin = recorder.clock.monotonicOrigin ?? -1
    // Below 0 no text goes the quick way.
    valueLimit = recorder.options.recordsValues ? recorder.options.valueLimit : -1
    takesElements = recorder.writer != nil || recorder.sinks != nil
    isFileAlone = recorder.writer != nil && recorder.sinks == nil
  }

  @inline(__always)
  var now: Int {
    if origin >= 0 { return LogClock.monotonic() - origin }
    return recorder._withUnsafeGuaranteedRef { $0.clock.now }
  }

  @inline(__always)
  var isOpen: Bool { recorder._withUnsafeGuaranteedRef { $0.isOpen } }

  /// See `Recorder.enter`.
  @inline(__always)
  var thread: UnsafeMutablePointer<ThreadContext>? {
    recorder._withUnsafeGuaranteedRef { $0.enter() }
  }

  @inline(__always)
  var file: Unmanaged<LogFile>? {
    writer?._withUnsafeGuaranteedRef { $0.unretainedCurrent }
  }

  func next(after file: LogFile, _ refusal: Int, size: Int) -> Unmanaged<LogFile>? {
    writer?.takeUnretainedValue().next(after: file, refusal, size: size).map {
      Unmanaged.passUnretained($0)
    }
  }
}
