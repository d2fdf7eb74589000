import TraceFormat

extension SegmentAccumulator {
  /// Adds what comes behind, in the same file or in the next one of the log.
  ///
  /// - Parameter lines: how many lines come before it in its file.
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
      // What stands behind an end counts as that, whatever stood before it.
      recordsAfterEnd = next.recordsAfterEnd
      recordsAfterContinuation += next.records - next.recordsAfterEnd
    } else {
      recordsAfterEnd = next.recordsAfterEnd
      recordsAfterContinuation = next.recordsAfterContinuation
    }
    lineAfterEnd =
      lineAfterEnd
      ?? (isClosed ? next.firstPlace?.line : next.lineAfterEnd).map { $0 + lines }
    end = end ?? next.end
    isClosed = isClosed || next.isClosed
    repetitions += next.repetitions
    continuation = continuation ?? next.continuation
    let (sum, overflows) = lostByRecords.addingReportingOverflow(next.lostByRecords)
    lostByRecords = overflows ? .max : sum
    lostByEnd = max(lostByEnd, next.lostByEnd)
    if records == 0 { firstPlace = next.firstPlace.map { $0.moved(byLines: lines) } }
    records += next.records
    lastTime = max(lastTime, next.lastTime)
  }
}
