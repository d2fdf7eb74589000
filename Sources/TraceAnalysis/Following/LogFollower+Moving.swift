import TraceFormat

extension LogFollower {
  /// The limit of the search for the next segment, in segment numbers. Segments may be missing,
  /// because a recorder that reaches its size limit deletes old ones.
  private static let farthest: UInt64 = 16

  /// A Boolean value that indicates whether the file at the path was truncated and rewritten.
  var wasRewritten: Bool {
    guard let origin, let now = origin.source.atPresentLength else { return false }
    if now.size < (files.count == 1 ? whole.gaps.end : origin.opening.count) { return true }
    return !origin.opening.isEmpty
      && Self.opening(of: now, count: origin.opening.count) != origin.opening
  }

  /// A Boolean value that indicates whether the file that is read has no name any more, or
  /// something other than a file has its name.
  var isGone: Bool {
    files.last.map { !LogSource.isFile($0.path) } ?? false
  }

  /// Notes how the file begins, which identifies another file that replaces it.
  func noteOpening() {
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
  func moveOn() throws(LogError) -> Bool {
    if let origin, origin.source.hasItsName == false, let other = Self.file(at: path),
      let header = Self.header(of: other)
    {
      // Everything in the old file must be read before the reader leaves it.
      var isNews = false
      guard try readOn(&isNews), !isNews else { return isNews }
      _ = try lookAtGaps(all: true)
      if let trace = header.trace, segments[trace]?.contains(header.segment ?? 1) == false {
        goOn(in: other)
        self.origin = (other, Self.firstLine(of: other))
      } else {
        restart(with: other)
      }
      return true
    }
    guard whole.goesOn, let next = nextSegment else { return false }
    goOn(in: next)
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
