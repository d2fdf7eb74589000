import TraceFormat

/// A cursor that finds the log of one record after another. Successive records nearly always belong
/// to the same log.
package struct SectionCursor: Sendable {
  private var file = -1
  private var range = 0..<0
  private var log: Int?
  private var section: Int?

  package init() {}

  /// Returns the log that a record belongs to; nil if it doesn't belong to one, for example because
  /// its file repeats another one.
  @inline(__always)
  package mutating func log(of location: TraceRecord.Location, in analysis: LogAnalysis) -> Int? {
    if location.file != file || !range.contains(location.offset) { move(to: location, analysis) }
    return log
  }

  /// Returns the log and the index in `LogAnalysis.lifecycles` of the subscription of an event; nil
  /// if the record doesn't belong to a log.
  @inline(__always)
  mutating func subscription(
    _ id: SubscriptionID, at location: TraceRecord.Location, in analysis: LogAnalysis
  ) -> (log: Int, index: Int)? {
    guard let log = log(of: location, in: analysis), let index = analysis.index(of: id, log: log)
    else { return nil }
    return (log, index)
  }

  /// Returns the damage of the section that contains a record.
  package mutating func damage(
    of location: TraceRecord.Location, in analysis: LogAnalysis
  ) -> Damage? {
    _ = log(of: location, in: analysis)
    return section.map { analysis.sections[$0].damage }
  }

  @inline(never)
  private mutating func move(to location: TraceRecord.Location, _ analysis: LogAnalysis) {
    let sections = analysis.sections
    guard !sections.isEmpty else { return }
    let index = analysis.section(of: location)
    let next = index + 1 < sections.count ? sections[index + 1] : nil
    file = location.file
    // Records before the first section of their file don't belong to a section.
    guard sections[index].file == file, sections[index].offset <= location.offset else {
      range = location.offset..<location.offset + 1
      log = nil
      section = nil
      return
    }
    section = index
    log = sections[index].log
    range = sections[index].offset..<(next?.file == file ? next?.offset ?? .max : .max)
  }
}
