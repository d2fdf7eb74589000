import ReactiveKit
import Synchronization
package import SystemLibrary
import TraceFormat

/// A writer that writes lines to the file of a log, and continues in the next file when a file is
/// full.
package final class LogWriter: Sendable {
  /// A file that exists.
  private struct Segment {
    let path: String
    let identity: FileIdentity
    /// The lock of a closed file, held until the log ends.
    var lock: SharedLock?

    init(_ file: LogFile) { (path, identity) = (file.path, file.fileIdentity) }

    mutating func unlock() {
      lock?.release()
      lock = nil
    }
  }

  private struct Segments {
    var files: [LogFile]
    var number = 1
    /// The existing files, the oldest first.
    var kept: [Segment]
    var isClosed = false

    /// Deletes the oldest files. If the program has replaced one of them with another file, that
    /// file isn't deleted.
    mutating func keep(_ count: Int) {
      while kept.count > max(1, count) {
        var oldest = kept.removeFirst()
        oldest.identity.remove(at: oldest.path)
        oldest.unlock()
      }
    }

    /// Keeps other recorders away from the closed files. If there are very many files, only the
    /// first file, whose name is the base of the others, and the newest files are locked.
    mutating func lock(_ file: LogFile) {
      kept[kept.count - 1].lock = file.lockBeyondClosing()
      let late = kept.count - 1 - SharedLock.maxCount
      if late > 0 { kept[late].unlock() }
    }

    mutating func unlock() {
      var index = 0
      while index < kept.count {
        kept[index].unlock()
        index += 1
      }
    }
  }

  /// The path of the first file, which is the base for the names of the others. The file is locked,
  /// so another log uses other names.
  private let firstPath: String
  private let sizeLimit: Trace.SizeLimit?
  /// A function that returns the first line of the segment with a number. The second argument is
  /// the number of logs of the same run that the log has replaced.
  private let header: @Sendable (Int, Int) -> [UInt8]
  private let replaced: Int
  /// A function that publishes the lines that make a later segment readable without earlier
  /// segments.
  private let restated: @Sendable (_ publish: (borrowing LineBuffer) -> Void) -> Void
  private let clock: LogClock
  private let segments: BlockingGuarded<Segments>
  /// The address of the last file in `segments`.
  private let address: Atomic<UInt>

  package init(
    path: String, run: String? = nil, sizeLimit: Trace.SizeLimit?, clock: LogClock,
    header: @escaping @Sendable (_ segment: Int, _ replaced: Int) -> [UInt8],
    restated: @escaping @Sendable (_ publish: (borrowing LineBuffer) -> Void) -> Void
  ) throws(TraceError) {
    self.sizeLimit = sizeLimit
    self.header = header
    self.restated = restated
    self.clock = clock
    let file = try LogFile(path: path, run: run, limit: sizeLimit?.bytes) { header(1, $0) }
    firstPath = file.path
    replaced = file.replaced
    segments = BlockingGuarded(Segments(files: [file], kept: [Segment(file)]))
    address = Atomic(Self.address(of: file))
    // See `TracingState.prepare`.
    _ = segments.withLock(until: .max) { $0.files.last }
    file.prepareClosing()
  }

  deinit { segments.withLock { $0.unlock() } }

  /// The path of the file that is being written.
  package var path: String { current.path }

  /// The paths of the existing segments, the oldest first.
  package var paths: [String] { segments.withLock { $0.kept.map(\.path) } }

  var current: LogFile { unretainedCurrent.takeUnretainedValue() }

  /// The current file without reference counting, for which all threads would change the same
  /// memory. The segments retain every file as long as the writer lives.
  @inline(__always)
  var unretainedCurrent: Unmanaged<LogFile> {
    guard let pointer = UnsafeRawPointer(bitPattern: address.load(ordering: .acquiring)) else {
      preconditionFailure("a log has no file")
    }
    return Unmanaged<LogFile>.fromOpaque(pointer)
  }

  /// Writes a line of the calling thread to the file.
  func write(_ line: LineBuffer, at time: Int, for thread: WritingThread.Pointer) {
    var file = unretainedCurrent
    while true {
      switch file._withUnsafeGuaranteedRef({ $0.reserve(line.count + 1, at: time, for: thread) }) {
      case .space(let start):
        return file._withUnsafeGuaranteedRef { file in
          LinePublisher.publish(line, to: file.base + start)
          file.finish(thread)
        }
      case .refused(let refusal):
        let refusing = file.takeUnretainedValue()
        guard let next = next(after: refusing, refusal, size: line.count + 1) else { return }
        file = Unmanaged.passUnretained(next)
      }
    }
  }

  /// Returns the file for a line of `size` bytes that `file` has refused, or nil if the record is
  /// lost.
  @inline(never)
  func next(after file: LogFile, _ refusal: LogFile.Refusal, size: Int) -> LogFile? {
    switch refusal {
    case .full:
      return nil
    case .beyond:
      guard file.canTake(size) else {
        // Even an empty file isn't large enough for this line.
        file.countTooLong()
        return nil
      }
      guard case .rotate(let count) = sizeLimit?.whenFull else {
        file.stopAtLimit()
        return nil
      }
      return rotate(file, keeping: count)
    case .closed:
      // The thread that closed the file can be about to publish the next one.
      return segments.withLock { $0.files.last === file ? nil : $0.files.last }
    }
  }

  /// Writes the last lines of the log. See `LogFile.close`.
  package func close(
    by deadline: Int = LogClock.monotonic() + LogFile.patience, freesMemory: Bool = false,
    last lines: (LogFile.Account, inout LineBuffer, (borrowing LineBuffer) -> Bool) -> Void
  ) {
    let file = segments.withLock(until: deadline) { segments -> LogFile? in
      segments.isClosed = true
      // In unoptimized code, `last` allocates memory, but this can run in a signal handler that has
      // interrupted the allocator.
      return segments.files[segments.files.count - 1]
    }
    // If the file isn't known in time, a rotation is in progress. Each file is valid without an end
    // record.
    file??.close(by: deadline, freesMemory: freesMemory, last: lines)
    _ = segments.withLock(until: deadline) { $0.unlock() }
  }

  /// Gives up the log. A child process calls this, because its parent continues to write.
  package func abandon() { current.leaveToParent() }

  private func rotate(_ file: LogFile, keeping count: Int?) -> LogFile? {
    var complaint: String?
    let next = segments.withLock { segments -> LogFile? in
      guard !segments.isClosed, let last = segments.files.last else { return nil }
      // Another thread was faster.
      if last !== file { return last }
      let number = segments.number + 1
      let new: LogFile
      do throws(TraceError) {
        new = try LogFile(
          path: SegmentPath.of(firstPath, number), header: header(number, replaced),
          limit: sizeLimit?.bytes,
          isFurther: true)
      } catch {
        if file.stopUntilRotation(error.systemError) { complaint = error.message }
        return nil
      }
      segments.number = number
      segments.files.append(new)
      segments.lock(file)
      segments.kept.append(Segment(new))
      let time = clock.now
      file.close(freesMemory: true) { account, line, publish in
        account.publishLosses(at: time, &line, publish)
        line.begin(at: time, .continued)
        line.integer(.segment, number)
        line.integer(.records, account.records + (account.unreported > 0 ? 1 : 0))
        line.integer(.lost, account.lost)
        line.end()
        _ = publish(line)
      }
      // Threads no longer write to the previous file, so the new one has to begin with all active
      // subscriptions.
      restated { line in new.restate(line) }
      new.begin()
      address.store(Self.address(of: new), ordering: .releasing)
      if let count { segments.keep(count) }
      return new
    }
    if let complaint {
      Diagnostics.warn(
        "\(complaint). Until then, records count as lost. The program continues.")
    }
    return next
  }

  private static func address(of file: LogFile) -> UInt {
    UInt(bitPattern: Unmanaged.passUnretained(file).toOpaque())
  }
}
