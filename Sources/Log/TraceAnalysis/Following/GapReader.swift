import TraceFormat

/// A reader for the content that threads write into gaps.
struct GapReader: ~Copyable {
  /// The number of records and damaged lines found so far.
  private(set) var found = 0
  private var parser = RecordParser()
  private var buffer: [UInt8] = []

  /// Passes the records in a gap to `parts`, and adds the rest of the gap to `kept`.
  ///
  /// - Parameter isFinal: True if lines that are not records can no longer become records.
  /// - Returns: The number of newlines in the gap minus the expected number. It is usually
  ///   negative, because text replaces newlines.
  mutating func read(
    _ gap: LogGap, in source: LogSource, isFinal: Bool, _ parts: inout FollowedAccumulator,
    _ kept: inout [LogGap]
  ) throws(LogError) -> Int {
    try fill(gap.range, source)
    guard !isBlank else {
      kept.append(gap)
      return 0
    }
    var rest = Rest(gap)
    var line = gap.line
    var start = 0
    while start < buffer.count {
      let end = buffer[start...].firstIndex(of: 0x0A) ?? buffer.count
      if end > start {
        let location = TraceRecord.Location(
          file: gap.file, line: line, offset: gap.range.lowerBound + start, length: end - start)
        if take(location, start..<end, isFinal: isFinal, &parts) {
          found += 1
          rest.cut(before: start, after: end, line: line, &kept)
        } else {
          rest.bytes += end - start
        }
      }
      if end < buffer.count { line += 1 }
      start = end + 1
    }
    rest.finish(at: buffer.count, line: line, &kept)
    return line - gap.line - gap.newlines
  }

  private mutating func fill(_ range: Range<Int>, _ source: LogSource) throws(LogError) {
    buffer = [UInt8](repeating: 0x0A, count: range.count)
    buffer = try buffer.filled(from: source, range.lowerBound)
  }

  private var isBlank: Bool {
    buffer.withUnsafeBytes { bytes in
      var index = 0
      while index + 8 <= bytes.count {
        guard bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) == 0x0A0A_0A0A_0A0A_0A0A
        else { return false }
        index += 8
      }
      return bytes[index...].allSatisfy { $0 == 0x0A }
    }
  }

  /// Visits a line, and returns whether it counted as a record or as damage.
  private mutating func take(
    _ location: TraceRecord.Location, _ range: Range<Int>, isFinal: Bool,
    _ parts: inout FollowedAccumulator
  ) -> Bool {
    buffer.withUnsafeBufferPointer { bytes in
      do throws(LineFault) {
        let record = try parser.parse(UnsafeBufferPointer(rebasing: bytes[range]))
        guard isFinal || !record.isUnfinished else { return false }
        parts.visitLate(record, at: location)
        return true
      } catch {
        let isSpace = bytes[range].allSatisfy { [0x20, 0x09, 0x0D, 0x00].contains($0) }
        guard isFinal, !isSpace else { return false }
        parts.skipLate(error == .incomplete ? .incomplete : .malformed, line: location.line)
        return true
      }
    }
  }

  /// The rest of a gap, which contains no record.
  private struct Rest {
    private let gap: LogGap
    private var start = 0
    private var line: Int
    var bytes = 0

    init(_ gap: LogGap) {
      self.gap = gap
      line = gap.line
    }

    /// Cuts a line out of the rest.
    ///
    /// - Parameter line: The number of the line to cut out.
    mutating func cut(before start: Int, after end: Int, line: Int, _ kept: inout [LogGap]) {
      finish(at: start, line: line, &kept)
      self.start = end + 1
      self.line = line + 1
      bytes = 0
    }

    func finish(at end: Int, line: Int, _ kept: inout [LogGap]) {
      guard end - start >= LogGap.smallest else { return }
      let base = gap.range.lowerBound
      let isSame = bytes > 0 && bytes == gap.bytes
      kept.append(
        LogGap(
          file: gap.file, range: base + start..<base + end, line: self.line,
          newlines: line - self.line, checks: isSame ? gap.checks + 1 : 0, bytes: bytes))
    }
  }
}

extension [UInt8] {
  /// Returns the array after overwriting it with bytes of a file, up to the end of the file.
  fileprivate consuming func filled(
    from source: LogSource, _ offset: Int
  ) throws(LogError) -> [UInt8] {
    var failure: LogError?
    withUnsafeMutableBytes { bytes in
      do throws(LogError) {
        _ = try source.read(into: bytes, from: offset)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return self
  }
}
