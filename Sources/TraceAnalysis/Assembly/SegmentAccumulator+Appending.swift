import TraceFormat

extension SegmentAccumulator {
  /// Adds the following part, in the same file or in the next file of the log.
  ///
  /// - Parameter lines: The number of lines before that part in its file.
  mutating func append(_ next: SegmentAccumulator, lines: Int) {
    let known = sites.append(next.sites)
    for var lifecycle in next.lifecycles {
      lifecycle.move(byLines: lines)
      if let site = known[ObjectIdentifier(lifecycle.site)] { lifecycle.site = site }
      if let index = table.index(of: lifecycle.id) {
        if let second = lifecycles[index].append(lifecycle) {
          damage.note(.duplicateSubscribe, line: second.line)
          if second.isCopy { repetitions += 1 }
        }
      } else {
        table.insert(lifecycle.id, index: lifecycles.count)
        lifecycles.append(lifecycle)
      }
    }
    threads.merge(next.threads) { _, later in later }
    tails.append(next.tails)
    marks += next.marks
    scopes.append(next.scopes)
    damage.merge(next.damage, lines: lines)
    if end != nil {
      recordsAfterEnd += next.records
    } else if continuation != nil {
      // A record after an end counts as such, even if it also follows a continuation.
      recordsAfterEnd = next.recordsAfterEnd
      recordsAfterContinuation += next.records - next.recordsAfterEnd
    } else {
      recordsAfterEnd = next.recordsAfterEnd
      recordsAfterContinuation = next.recordsAfterContinuation
    }
    lineAfterEnd =
      lineAfterEnd
      ?? (isClosed ? next.firstLocation?.line : next.lineAfterEnd).map { $0 + lines }
    end = end ?? next.end
    isClosed = isClosed || next.isClosed
    repetitions += next.repetitions
    continuation = continuation ?? next.continuation
    let (sum, overflows) = lostByRecords.addingReportingOverflow(next.lostByRecords)
    lostByRecords = overflows ? .max : sum
    lostByEnd = max(lostByEnd, next.lostByEnd)
    if records == 0 { firstLocation = next.firstLocation.map { $0.moved(byLines: lines) } }
    records += next.records
    lastTime = max(lastTime, next.lastTime)
  }
}
