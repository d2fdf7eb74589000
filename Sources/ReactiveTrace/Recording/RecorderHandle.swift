import TraceFormat

/// The parts of a recorder that an element record needs, without a counted reference. With a
/// counted reference, all threads would update one counter, which costs more than the rest of a
/// record.
///
/// The subscription that has this handle holds the recorder.
struct RecorderHandle: Sendable {
  private let recorder: Unmanaged<Recorder>
  private let writer: Unmanaged<LogWriter>?
  private let origin: Int
  let valueLimit: Int
  /// A Boolean value that indicates whether elements go anywhere.
  let takesElements: Bool
  /// A Boolean value that indicates whether records go to a file and nowhere else.
  let isFileAlone: Bool

  init(_ recorder: Recorder) {
    self.recorder = Unmanaged.passUnretained(recorder)
    writer = recorder.writer.map { Unmanaged.passUnretained($0) }
    origin = recorder.clock.monotonicOrigin ?? -1
    // With a limit below 0, no text takes the fast path.
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

  /// The context of the calling thread. See `Recorder.enter`.
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
