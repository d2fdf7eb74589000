import TraceFormat

extension LogFollower {
  /// Reads the next batch after the last record, and returns whether nothing is left to read.
  func readOn(_ isNews: inout Bool) throws(LogError) -> Bool {
    let last = files.count - 1
    if let source = files[last].atPresentLength { files[last] = source }
    let start = whole.gaps.next
    if start >= reach || tail.looks > 0 { reach = try findEnd(from: start) }
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
    if origin?.opening.isEmpty == true, files.count == 1 || whole.gaps.end > 0 { noteOpening() }
    guard limit == reach else { return false }
    try noteTail()
    return true
  }

  /// Treats lines after the last record as damage if they have not changed for long enough.
  private func noteTail() throws(LogError) {
    let start = whole.gaps.next
    guard start < reach else { return tail = (start, reach, 0) }
    let isSame = tail.start == start && tail.end == reach
    tail = (start, reach, isSame ? tail.looks + 1 : 1)
    guard tail.looks > LogGap.patience else { return }
    let lines = try bytes(of: files.count - 1, start..<reach).count { $0 == 0x0A }
    whole.gaps.close(at: reach, lines: lines)
    tail = (0, 0, 0)
  }

  func bytes(of file: Int, _ range: Range<Int>) throws(LogError) -> [UInt8] {
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
