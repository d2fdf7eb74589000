@testable import TraceAnalysis
@testable import TraceFormat

/// Returns all facts of an analysis as text.
func describe(_ analysis: LogAnalysis) -> [String] {
  var lines = analysis.lifecycles.map { life in
    """
    \(life.id) \(life.site.lane) \(life.site.source ?? "") \(life.parent?.number ?? 0) \
    \(life.start.count) \(life.end?.count ?? 0) \(life.state) \(life.elements) \
    \(life.last.time.count) \(life.last.location.line) \(life.last.location.offset) \
    \(life.firstLocation.line) \(life.log) \(life.digest) \(life.peakRate.count) \
    \(life.peakRate.second) \(life.elsewhere) \(life.firstElsewhere?.line ?? 0) \
    \(life.hasEventsAfterEnd) \(life.beginsTwice) \(life.hasBeginning) \
    \(life.livesUntilExit) \(String(describing: analysis.observed(of: life)))
    """
  }
  lines += analysis.lifecycles.indices.map { String(describing: analysis.retention(of: $0)) }
  lines += analysis.lifecycles.indices.map {
    "\(String(describing: analysis.presentWait(of: $0))) \(analysis.waits(of: $0))"
  }
  lines += analysis.logs.map { log in
    """
    \(log.names) \(log.records) \(log.lost) \(log.missing) \(log.uncountedSkips) \
    \(log.lastTime.count) \(String(describing: log.end)) \(log.offset) \(log.members) \
    \(log.threads.sorted { $0.key < $1.key })
    """
      + " \(log.tails.all.map { "\($0.thread) \($0.tail.subscription) \($0.tail.time.count)" })"
  }
  lines += analysis.sections.map { section in
    let damage = Damage.Kind.allCases.map { "\($0) \(String(describing: section.damage[$0]))" }
    return "\(section.file) \(section.offset) \(section.log ?? -1) \(damage)"
  }
  return lines + ["\(analysis.marks) \(analysis.scopes)"]
}
