import TraceFormat

/// A reader that follows a log while it is written, and the files in which it continues.
///
/// Threads fill the space they reserve in any order, so the reader checks blank space again. It
/// waits for lines that are not finished.
final class LogFollower {
  private let path: String
  private let firstBatch: Int
  /// The files of the log that is followed now; the last one is being written.
  private var files: [LogSource] = []
  private var tallies: [ReadingTally] = []
  private var whole = FollowedAccumulator()
  /// The file at `path`, and its first line if that is a header.
  private var origin: (source: LogSource, opening: [UInt8])?
  /// The offset after the last byte in the last file that is known not to be blank.
  private var reach = 0
  private var batch: Int
  /// The index of the next gap to check among those that no thread fills anymore.
  private var rotation = 0
  /// The range after the last record, and the number of times it was seen unchanged.
  private var tail = (start: 0, end: 0, checks: 0)
  private var restarts = 0
  private var isTold = false
  /// What was read since the last snapshot.
  private var news = LogNews()

  /// The distance from the last record within which threads may still write, in bytes.
  private static let window = 4 << 20

  init(_ path: String, firstBatch: Int) {
    self.path = path
    self.firstBatch = firstBatch
    batch = firstBatch
  }

  /// Reads new content, and returns a snapshot; nil if nothing is new or the file does not exist
  /// yet.
  func advance() throws(LogError) -> LogSnapshot? {
    guard try open() else { return nil }
    var isNews = !isTold
    if wasRewritten, let origin {
      restart(with: origin.source)
      isNews = true
    }
    let isAll = try readNextBatch(&isNews)
    // Everything that precedes the last line was written before it, so a check of all gaps finds
    // it.
    if try checkGaps(all: isAll && whole.hasEnding) { isNews = true }
    if isAll {
      if whole.hasEnding {
        whole.reportEnding()
        isNews = true
      }
      if try moveToNextFile() { isNews = true }
    }
    isTold = true
    guard isNews else { return nil }
    news.found([], remaining: whole.gaps.gaps)
    defer { news = LogNews() }
    return snapshot
  }

  private func open() throws(LogError) -> Bool {
    guard files.isEmpty else { return true }
    guard LogSource.exists(path) else { return false }
    // Opening a pipe would wait for a process that writes to it.
    if LogSource.isPipe(path) { throw .cannotFollow(path) }
    begin(with: try LogSource(path: path))
    return true
  }

  /// Returns the file at a path, or nil if the path doesn't name a regular file.
  private static func file(at path: String) -> LogSource? {
    LogSource.isFile(path) ? try? LogSource(path: path) : nil
  }

  private func begin(with source: LogSource) {
    news = LogNews()
    origin = (source, [])
    files = [source]
    tallies = [ReadingTally()]
    whole = FollowedAccumulator()
    whole.begin(file: 0)
    reach = 0
    batch = firstBatch
    rotation = 0
    tail = (0, 0, 0)
  }

  private func restart(with source: LogSource) {
    restarts += 1
    begin(with: source)
  }

  /// Continues in another file of the same log.
  private func continueReading(in source: LogSource) {
    files.append(source)
    tallies.append(ReadingTally())
    whole.begin(file: files.count - 1)
    reach = 0
    tail = (0, 0, 0)
  }

  private var snapshot: LogSnapshot {
    let before = files.dropLast().reduce(0) { $0 + $1.size }
    return LogSnapshot(
      whole.indexed, tallies, files, bytesRead: before + min(whole.gaps.end, reach),
      bytesTotal: before + reach, isComplete: nil, restarts: restarts, news: news)
  }
}

extension LogFollower {
  /// Reads the next batch after the last record, and returns whether nothing is left to read.
  private func readNextBatch(_ isNews: inout Bool) throws(LogError) -> Bool {
    let last = files.count - 1
    if let source = files[last].atPresentLength { files[last] = source }
    let start = whole.gaps.next
    if start >= reach || tail.checks > 0 { reach = try findEnd(from: start) }
    guard reach > start else { return true }
    let limit = reach - start > batch ? start + batch : reach
    batch = min(batch * 8, GrowingLog.largestBatch)
    let known = tallies[last].knownRecords
    tallies[last].lines = whole.gaps.line
    tallies[last].cutLine = nil
    var before = FollowedAccumulator()
    swap(&before, &whole)
    (whole, tallies) = try ParallelReading(
      files, parts: [.init(file: last, range: start..<min(limit, files[last].size))]
    ).read(FollowedAccumulator(), addingTo: before, tallies)
    if tallies[last].knownRecords != known { isNews = true }
    news.read(start..<max(start, whole.gaps.next), file: last)
    if origin?.opening.isEmpty == true, files.count == 1 || whole.gaps.end > 0 { recordOpening() }
    guard limit == reach else { return false }
    try checkTail()
    return true
  }

  /// Treats lines after the last record as damage if they have not changed for long enough.
  private func checkTail() throws(LogError) {
    let start = whole.gaps.next
    guard start < reach else { return tail = (start, reach, 0) }
    let isSame = tail.start == start && tail.end == reach
    tail = (start, reach, isSame ? tail.checks + 1 : 1)
    guard tail.checks > LogGap.checksUntilFinal else { return }
    let lines = try bytes(of: files.count - 1, start..<reach).count { $0 == 0x0A }
    whole.gaps.close(at: reach, lines: lines)
    tail = (0, 0, 0)
  }

  private func bytes(of file: Int, _ range: Range<Int>) throws(LogError) -> [UInt8] {
    var buffer = [UInt8](repeating: 0x0A, count: range.count)
    var failure: LogError?
    buffer.withUnsafeMutableBytes { bytes in
      do throws(LogError) {
        _ = try files[file].read(into: bytes, from: range.lowerBound)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return buffer
  }

  /// Returns the offset after the last byte that is not blank. It searches no farther than
  /// necessary.
  private func findEnd(from start: Int) throws(LogError) -> Int {
    let source = files[files.count - 1]
    // The first search covers the whole file. Later searches cover the space that threads may have
    // begun to fill.
    let near = start == 0 ? source.size : min(source.size, max(start, reach) + Self.window)
    let end = try lastData(in: start..<max(start, near), of: source)
    guard near < source.size, end > near - Self.window / 2 else { return end }
    return try lastData(in: start..<source.size, of: source)
  }

  private func lastData(in range: Range<Int>, of source: LogSource) throws(LogError) -> Int {
    let size = min(1 << 18, range.count)
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: max(size, 1), alignment: 64)
    defer { piece.deallocate() }
    var end = range.upperBound
    while end > range.lowerBound {
      let start = max(range.lowerBound, end - size)
      let count = try source.read(
        into: UnsafeMutableRawBufferPointer(rebasing: piece[..<(end - start)]), from: start)
      if let last = piece[..<count].lastIndexOfData { return start + last + 1 }
      end = start
    }
    return range.lowerBound
  }
}

extension Slice<UnsafeMutableRawBufferPointer> {
  /// The index of the last byte that is not a newline.
  fileprivate var lastIndexOfData: Int? {
    var index = endIndex
    while index >= startIndex + 8 {
      let word = base.loadUnaligned(fromByteOffset: index - 8, as: UInt64.self)
      guard word == 0x0A0A_0A0A_0A0A_0A0A else { break }
      index -= 8
    }
    while index > startIndex {
      index -= 1
      if base[index] != 0x0A { return index }
    }
    return nil
  }
}

extension LogFollower {
  /// The number of bytes to check in one turn, in gaps that no thread fills anymore.
  private static let budget = 1 << 20

  /// Checks whether threads have filled the space they reserved, and returns whether it found
  /// anything.
  ///
  /// - Parameter all: True to also check gaps that no thread fills anymore.
  private func checkGaps(all: Bool) throws(LogError) -> Bool {
    guard !whole.gaps.gaps.isEmpty else { return false }
    var gaps: [LogGap] = []
    swap(&gaps, &whole.gaps.gaps)
    var kept: [LogGap] = []
    kept.reserveCapacity(gaps.count)
    var reader = GapReader()
    var budget = Self.budget
    var next = 0
    var shift = (file: -1, lines: 0)
    for (index, var gap) in gaps.enumerated() {
      if gap.file == shift.file { gap.line += shift.lines }
      let isRecent =
        gap.file == files.count - 1 && gap.range.upperBound + Self.window > whole.gaps.end
      let isDue = index >= rotation && budget > 0
      guard all || isRecent || isDue else {
        kept.append(gap)
        continue
      }
      if !isRecent { budget -= gap.range.count + 1024 }
      let lines = try reader.read(
        gap, in: files[gap.file], isFinal: gap.checks >= LogGap.checksUntilFinal, &whole, &kept)
      // The next turn begins after this gap, so that a large gap does not take every turn.
      if !isRecent { next = kept.count }
      guard lines != 0 else { continue }
      shift = (gap.file, lines + (shift.file == gap.file ? shift.lines : 0))
      whole.moveLines(of: gap.file, after: gap.range.upperBound, by: lines)
    }
    rotation = budget > 0 ? 0 : next
    whole.gaps.gaps = kept
    news.found(whole.takeLate(), remaining: kept)
    if reader.found > 0 { whole.settle() }
    return reader.found > 0
  }
}

extension LogFollower {
  /// The limit of the search for the next segment, in segment numbers. Segments may be missing,
  /// because a recorder that reaches its size limit deletes old ones.
  private static let farthest: UInt64 = 16

  /// A Boolean value that indicates whether the file at the path was truncated and rewritten.
  private var wasRewritten: Bool {
    guard let origin, let now = origin.source.atPresentLength else { return false }
    if now.size < (files.count == 1 ? whole.gaps.end : origin.opening.count) { return true }
    return !origin.opening.isEmpty
      && Self.opening(of: now, count: origin.opening.count) != origin.opening
  }

  /// A Boolean value that indicates whether the file that is read is no longer at its path, or
  /// something other than a file is there.
  var isGone: Bool {
    files.last.map { !LogSource.isFile($0.path) } ?? false
  }

  /// Notes how the file begins, so that a file that replaces it can be detected.
  private func recordOpening() {
    guard files.count == 1, whole.gaps.end > 0, let source = origin?.source.atPresentLength else {
      return
    }
    origin = (source, Self.firstLine(of: source))
  }

  /// Returns the first line if it is a header. The content after the header may be blank now and
  /// filled later.
  private static func firstLine(of source: LogSource) -> [UInt8] {
    guard header(of: source) != nil else { return [] }
    return Array(opening(of: source, count: 1 << 16).prefix { $0 != 0x0A })
  }

  private static func opening(of source: LogSource, count: Int) -> [UInt8] {
    source.bytes(at: TraceRecord.Location(line: 1, offset: 0, length: count))
  }

  /// Moves on to the next file of the log after the current file was read completely, and returns
  /// whether anything changed.
  private func moveToNextFile() throws(LogError) -> Bool {
    if let origin, origin.source.hasItsName == false, let other = Self.file(at: path),
      let header = Self.header(of: other)
    {
      // Everything in the old file must be read before the reader leaves it.
      var isNews = false
      guard try readNextBatch(&isNews), !isNews else { return isNews }
      _ = try checkGaps(all: true)
      if let trace = header.trace, segments[trace]?.contains(header.segment ?? 1) == false {
        continueReading(in: other)
        self.origin = (other, Self.firstLine(of: other))
      } else {
        restart(with: other)
      }
      return true
    }
    guard whole.continuesInNextFile, let next = nextSegment else { return false }
    continueReading(in: next)
    return true
  }

  /// The numbers of the known segments, by trace.
  private var segments: [String: Set<UInt64>] {
    var segments: [String: Set<UInt64>] = [:]
    for header in files.compactMap(Self.header) {
      if let trace = header.trace { segments[trace, default: []].insert(header.segment ?? 1) }
    }
    return segments
  }

  private var nextSegment: LogSource? {
    guard let last = files.last, let header = Self.header(of: last), let trace = header.trace
    else { return nil }
    let number = header.segment ?? 1
    for step in 1..<Self.farthest {
      let (next, overflows) = number.addingReportingOverflow(step)
      if overflows { break }
      for name in Self.names(last.path, of: number) {
        guard let source = Self.file(at: SegmentPath.of(name, Int(clamping: next))),
          let header = Self.header(of: source), header.trace == trace, header.segment == next
        else { continue }
        return source
      }
    }
    return nil
  }

  /// Returns the names that the first segment may have, given the name of a later one.
  private static func names(_ path: String, of number: UInt64) -> [String] {
    if number > 1, let range = path.ranges(of: ".part-\(number)").last {
      return [path.replacingCharacters(in: range)]
    }
    // A file can have the name `log.jsonl.2`, because another process wrote `log.jsonl`.
    guard let dot = path.lastIndex(of: "."), Int(path[path.index(after: dot)...]) != nil else {
      return [path]
    }
    return [path, String(path[..<dot])]
  }

  /// Returns the header in the first line of a file; nil if the line is not complete or not a
  /// header.
  static func header(of source: LogSource) -> TraceHeader? {
    let bytes = opening(of: source, count: min(source.size, 1 << 16))
    guard let end = bytes.firstIndex(of: 0x0A) else { return nil }
    return bytes[..<end].withUnsafeBufferPointer { line in
      var parser = RecordParser()
      guard let record = try? parser.parse(line), case .trace(let header) = record.body else {
        return nil
      }
      return header
    }
  }
}

extension String {
  fileprivate func replacingCharacters(in range: Range<Index>) -> String {
    String(self[..<range.lowerBound]) + String(self[range.upperBound...])
  }
}
