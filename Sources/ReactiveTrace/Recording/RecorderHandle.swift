import SystemLibrary
import TraceFormat

/// An unretained reference to a recorder and its parts. With counted references, all threads would
/// update one counter, which costs more than the rest of the record of an element.
///
/// The subscription that has this handle retains the recorder, or the recorder is one that
/// `Recorder.current` has returned, which is never deallocated.
struct RecorderHandle: Sendable {
  /// The parts of a recorder that an element record needs.
  struct Facts: Sendable {
    fileprivate let writer: Unmanaged<LogWriter>?
    fileprivate let origin: Int
    /// The maximum length of a value in bytes. If it is negative, text doesn't take the fast path.
    fileprivate let valueLimit: Int
    fileprivate let takesElements: Bool
    fileprivate let isFileAlone: Bool
    fileprivate let liveSubscriptions: Unmanaged<LiveSubscriptions>
    fileprivate let movedConnections: Unmanaged<MovedConnections>
    fileprivate let locations: Unmanaged<ObservationLocations>

    init(
      _ writer: LogWriter?, hasSinks: Bool, _ options: Trace.Options, _ clock: LogClock,
      _ liveSubscriptions: LiveSubscriptions, _ movedConnections: MovedConnections,
      _ locations: ObservationLocations
    ) {
      self.liveSubscriptions = Unmanaged.passUnretained(liveSubscriptions)
      self.movedConnections = Unmanaged.passUnretained(movedConnections)
      self.locations = Unmanaged.passUnretained(locations)
      self.writer = writer.map { Unmanaged.passUnretained($0) }
      origin = clock.monotonicOrigin ?? -1
      valueLimit = options.recordsValues ? options.valueLimit : -1
      takesElements = writer != nil || hasSinks
      isFileAlone = writer != nil && !hasSinks
    }
  }

  private let recorder: Unmanaged<Recorder>

  init(_ recorder: Recorder) { self.recorder = Unmanaged.passUnretained(recorder) }

  /// Creates the handle of the recorder at an address.
  init(at address: UnsafeRawPointer) { recorder = Unmanaged.fromOpaque(address) }

  @inline(__always)
  func withRecorder<Result>(_ body: (Recorder) -> Result) -> Result {
    recorder._withUnsafeGuaranteedRef(body)
  }

  /// The number of the log.
  @inline(__always)
  var number: Int { recorder._withUnsafeGuaranteedRef { $0.number } }

  @inline(__always)
  var liveSubscriptions: Unmanaged<LiveSubscriptions> { facts.liveSubscriptions }

  @inline(__always)
  var movedConnections: Unmanaged<MovedConnections> { facts.movedConnections }

  @inline(__always)
  var locations: Unmanaged<ObservationLocations> { facts.locations }

  @inline(__always)
  private var facts: Facts { recorder._withUnsafeGuaranteedRef { $0.facts } }

  @inline(__always)
  var valueLimit: Int { facts.valueLimit }

  /// A Boolean value that indicates whether elements are written to a file or sinks.
  @inline(__always)
  var takesElements: Bool { facts.takesElements }

  /// A Boolean value that indicates whether records are only written to a file.
  @inline(__always)
  var isFileAlone: Bool { facts.isFileAlone }

  @inline(__always)
  var now: Int {
    let origin = facts.origin
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
    facts.writer?._withUnsafeGuaranteedRef { $0.unretainedCurrent }
  }

  func next(after file: LogFile, _ refusal: LogFile.Refusal, size: Int) -> Unmanaged<LogFile>? {
    facts.writer?.takeUnretainedValue().next(after: file, refusal, size: size).map {
      Unmanaged.passUnretained($0)
    }
  }
}
