import ReactiveKit
import Synchronization
import TraceFormat

/// Writes lines into the file of a log, and goes on in the next one where a file may have no more.
package final class LogWriter: Sendable {
  /// A file that is there.
  private struct Segment {
    let path: String
    let identity: FileIdentity
    /// Of a file that is closed, until the log ends.
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
    /// The oldest first.
    var kept: [Segment]
    var isClosed = false

    /// Takes the oldest files away. What the program has put in the place of one is not touched.
    mutating func keep(_ count: Int) {
      while kept.count > max(1, count) {
        var oldest = kept.removeFirst()
        oldest.identity.remove(at: oldest.path)
        oldest.unlock()
      }
    }

    /// Keeps other recorders away from the files that are closed. Of very many the first, after which the others are called, and the
    /// newest are locked.
    mutating func lock(_ file: LogFile) {
      kept[kept.count - 1].lock = file.lockBeyondClosing()
      let late = kept.count - 1 - SharedLock.most
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

  /// The path of the first file, after which the others are called. It is locked, so another log has other names.
  private let firstPath: String
  private let size: Trace.SizeLimit?
  /// The bytes of the first line of the segment of that number.
  private let header: @Sendable (Int) -> [UInt8]
  /// Lines that a later segment begins with, so that it can be read without those before it.
  private let restated: @Sendable (_ publish: (borrowing LineBuffer) -> Void) -> Void
  private let clock: LogClock
  private let segments: Guarded<Segments>
  /// The address of the last of them.
  private let address: Atomic<UInt>

  package init(
    path: String, size: Trace.SizeLimit?, clock: LogClock,
    header: @escaping @Sendable (Int) -> [UInt8],
    restated: @escaping @Sendable (_ publish: (borrowing LineBuffer) -> Void) -> Void
  ) throws(TraceError) {
    self.size = size
    self.header = header
    self.restated = restated
    self.clock = clock
    let file = try LogFile(path: path, header: header(1), limit: size?.bytes)
    firstPath = file.path
    segments = Guarded(Segments(files: [file], kept: [Segment(file)]))
    address = Atomic(Self.address(of: file))
    // See `TracingState.prepare`.
    _ = segments.withLock(until: .max) { $0.files.last }
    file.prepareClosing()
  }

  deinit { segments.withLock { $0.unlock() } }

  /// The file that is being written.
  package var path: String { current.path }

  /// The paths of the segments that are there, the oldest first.
  package var paths: [String] { segments.withLock { $0.kept.map(\.path) } }

  var current: LogFile { unretainedCurrent.takeUnretainedValue() }

  /// The same without counting a reference, which all threads would do in one place. The segments hold every file as
  /// long as the writer lives.
  @inline(__always)
  var unretainedCurrent: Unmanaged<LogFile> {
    guard let pointer = UnsafeRawPointer(bitPattern: address.load(ordering: .acquiring)) else {
      preconditionFailure("a log has no file")
    }
    return Unmanaged<LogFile>.fromOpaque(pointer)
  }

  /// Puts the line of `thread` into the file.
  func write(_ thread: UnsafeMutablePointer<ThreadContext>, at time: Int) {
    var file = current
    while true {
      let start = file.reserve(thread.pointee.line.count + 1, at: time, for: thread)
      if start >= 0 {
        LinePublisher.publish(thread.pointee.line, to: file.base + start)
        return file.finish(thread)
      }
      guard let next = next(after: file, start, size: thread.pointee.line.count + 1) else { return }
      file = next
    }
  }

  /// The file that takes a line of `size` bytes that `file` has refused; nil where the record is lost.
  @inline(never)
  func next(after file: LogFile, _ refusal: Int, size: Int) -> LogFile? {
    switch refusal {
    case LogFile.Refusal.full:
      return nil
    case LogFile.Refusal.beyond:
      guard file.canTake(size) else {
        // No file is large enough for this one.
        file.lost.wrappingAdd(1, ordering: .relaxed)
        return nil
      }
      guard case .rotate(let count) = self.size?.whenFull else {
        file.stopAtLimit()
        return nil
      }
      return rotate(file, keeping: count)
    default:
      // Whoever has closed it may be about to show the next one.
      return segments.withLock { $0.files.last === file ? nil : $0.files.last }
    }
  }

  /// Writes the last lines of the log.
  package func close(
    by deadline: Int = LogClock.monotonic() + LogFile.patience,
    last lines: (LogFile.Account, (borrowing LineBuffer) -> Bool) -> Void
  ) {
    let file = segments.withLock(until: deadline) { segments -> LogFile? in
      segments.isClosed = true
      // Not `last`, which asks for memory where nothing was optimized; a signal handler may have interrupted the allocator.
      return segments.files[segments.files.count - 1]
    }
    // Where that is not known in time a file is being followed by the next one, and each is whole without an end.
    file??.close(by: deadline, last: lines)
    _ = segments.withLock(until: deadline) { $0.unlock() }
  }

  /// For a child process, whose parent writes on.
  package func abandon() { current.abandon() }

  private func rotate(_ file: LogFile, keeping count: Int?) -> LogFile? {
    var complaint: String?
    let next = segments.withLock { segments -> LogFile? in
      guard !segments.isClosed, let last = segments.files.last else { return nil }
      // Another thread was quicker.
      if last !== file { return last }
      let number = segments.number + 1
      let new: LogFile
      do throws(TraceError) {
        new = try LogFile(
          path: SegmentPath.of(firstPath, number), header: header(number), limit: size?.bytes,
          isFurther: true)
      } catch {
        if file.stopUntilRotation(error.systemError) { complaint = error.sentence }
        return nil
      }
      segments.number = number
      segments.files.append(new)
      segments.lock(file)
      segments.kept.append(Segment(new))
      let time = clock.now
      file.close { account, publish in
        var line = LineBuffer()
        defer { line.deallocate() }
        LastLines.publishLosses(account, at: time, &line, publish)
        line.begin(at: time, .continued)
        line.integer(.segment, number)
        line.integer(.records, account.records + (account.untold > 0 ? 1 : 0))
        line.integer(.lost, account.lost)
        line.end()
        _ = publish(line)
      }
      // Nothing is written any more to the file before, so what is alive now is what this one has to begin with.
      restated { line in new.restate(line) }
      new.begin()
      address.store(Self.address(of: new), ordering: .releasing)
      if let count { segments.keep(count) }
      return new
    }
    if let complaint {
      Diagnostics.warn(
        "\(complaint). Records from here on are counted as lost until that is so; the program runs "
          + "on.")
    }
    return next
  }

  private static func address(of file: LogFile) -> UInt {
    UInt(bitPattern: Unmanaged.passUnretained(file).toOpaque())
  }
}

/// The lines with which a file ends.
enum LastLines {
  /// The most bytes that the losses and the end take.
  static let longest = LogFile.Growth.reserve

  /// Tells of the records that are missing, where some are.
  static func publishLosses(
    _ account: LogFile.Account, at time: Int, _ line: inout LineBuffer,
    _ publish: (borrowing LineBuffer) -> Bool
  ) {
    guard account.untold > 0 else { return }
    line.begin(at: time, .lost)
    line.integer(.count, account.untold)
    line.text(.reason, account.reason, limit: 128)
    line.end()
    _ = publish(line)
  }
}
