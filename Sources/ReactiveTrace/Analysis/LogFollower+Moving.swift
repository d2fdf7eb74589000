extension LogFollower {
  /// How many segments may be missing: a recorder that may have no more bytes takes old ones away.
  private static let farthest: UInt64 = 16

  /// Whether the file at the path was cut to nothing and written anew.
  var wasRewritten: Bool {
    guard let origin, let now = origin.source.atPresentLength else { return false }
    if now.size < (files.count == 1 ? whole.gaps.end : origin.opening.count) { return true }
    return !origin.opening.isEmpty
      && Self.opening(of: now, count: origin.opening.count) != origin.opening
  }

  /// Is true once the file that is being read has lost its name, or something other than a file has taken it.
  var isGone: Bool {
    files.last.map { !LogSource.isFile($0.path) } ?? false
  }

  /// Notes how the file begins, by which another one is known that takes its place.
  func noteOpening() {
    guard files.count == 1, whole.gaps.end > 0, let source = origin?.source.atPresentLength else {
      return
    }
    origin = (source, Self.firstLine(of: source))
  }

  /// A header: what stands behind it may be blank and be filled later.
  private static func firstLine(of source: LogSource) -> [UInt8] {
    guard header(of: source) != nil else { return [] }
    return Array(opening(of: source, count: 1 << 16).prefix { $0 != 0x0A })
  }

  private static func opening(of source: LogSource, count: Int) -> [UInt8] {
    source.bytes(at: TraceRecord.Place(line: 1, offset: 0, length: count))
  }

  /// Goes on where the log does, once all of the file was read; returns whether it did.
  func moveOn() throws(LogError) -> Bool {
    if let origin, origin.source.hasItsName == false, let other = Self.file(at: path),
      let header = Self.header(of: other)
    {
      // All that was written into the old file is read before it is left.
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

  /// The numbers of the segments that are known, by the trace.
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

  /// The names that the first segment may have, by that of a later one.
  private static func names(_ path: String, of number: UInt64) -> [String] {
    if number > 1, let range = path.ranges(of: ".part-\(number)").last {
      return [path.replacingCharacters(in: range)]
    }
    // A file may be called `log.jsonl.2`, because another process wrote `log.jsonl`.
    guard let dot = path.lastIndex(of: "."), Int(path[path.index(after: dot)...]) != nil else {
      return [path]
    }
    return [path, String(path[..<dot])]
  }

  /// What the first line of a file says, once it is whole.
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
