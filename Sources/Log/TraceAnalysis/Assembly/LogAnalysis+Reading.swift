import TraceFormat

extension LogAnalysis {
  /// Reads files to their ends, and groups those that belong to one log.
  ///
  /// - Parameters:
  ///   - reading: The way to read the files; tests choose parts of other sizes.
  ///   - progress: A function that any thread calls with the number of bytes that it read.
  /// - Returns: The analysis, and the errors of files that are not logs or that this version can't
  ///   read.
  package static func read(
    _ files: [LogSource], reading: ParallelReading? = nil,
    progress: (@Sendable (Int) -> Void)? = nil
  ) throws(LogError) -> (analysis: LogAnalysis, errors: [LogError]) {
    let (parts, tallies) = try (reading ?? ParallelReading(files))
      .read(LogAccumulator(), progress: progress)
    return of(parts, tallies, files, isComplete: true)
  }

  /// Returns the analysis of the parts that were read.
  ///
  /// - Parameters:
  ///   - isComplete: False if more is to be read. Missing content is not an error then.
  ///   - reportsVersions: True to report logs of a newer version even if more is to be read.
  static func of(
    _ parts: consuming LogAccumulator, _ tallies: [ReadingTally], _ files: [LogSource],
    isComplete: Bool,
    reportsVersions: Bool = false
  ) -> (analysis: LogAnalysis, errors: [LogError]) {
    var errors: [LogError] = []
    if isComplete {
      for (file, tally) in tallies.enumerated() {
        if let line = tally.cutLine { parts.tear(file: file, line: line) }
      }
      let read = zip(files, tallies).filter { $1.knownRecords > 0 }
      let logs = Set(read.map { SegmentPath.parse($0.0.path).first })
      errors = zip(files, tallies).compactMap { file, tally in
        if tally.isBlank {
          // The process was killed before it wrote the first line of the log's next file.
          let (first, number) = SegmentPath.parse(file.path)
          if number > 1 && logs.contains(first) { return nil }
          return file.isWithoutSize ? .withoutSize(file.name) : .empty(file.name)
        }
        return tally.knownRecords == 0 ? .noTraceLog(file.name) : nil
      }
    }
    var refused: [SegmentAccumulator] = []
    let usable = parts.all.filter { part in
      guard let location = part.firstLocation, tallies[location.file].knownRecords > 0 else {
        return false
      }
      guard let header = part.header, header.version > LogFormat.version else { return true }
      if isComplete || reportsVersions {
        errors.append(.newerVersion(files[location.file].name, line: location.line, header))
      }
      refused.append(part)
      return false
    }
    parts = LogAccumulator()
    var grouping = LogGrouping(consume usable, refused: refused, files)
    return (grouping.analysis(), errors)
  }

  /// Reads one file.
  package static func read(_ file: LogSource) throws(LogError) -> LogAnalysis {
    let (analysis, errors) = try read([file])
    if let error = errors.first { throw error }
    return analysis
  }

  /// Reads the files again, record by record, on all processors.
  package func scan<Visitor: MergingVisitor>(_ visitor: Visitor) throws(LogError) -> Visitor {
    try ParallelReading(files).read(visitor).visitor
  }
}
