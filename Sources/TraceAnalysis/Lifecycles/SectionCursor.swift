package import TraceFormat

/// A cursor that finds the log of one record after the other. It is nearly always that of the
/// record before.
package struct SectionCursor: Sendable {
  private var file = -1
  private var range = 0..<0
  private var log: Int?
  private var section: Int?

  package init() {}

  /// Returns the log that a record belongs to; nil if it belongs to none, for example because its
  /// file repeats another one.
  @inline(__always)
  package mutating func log(of place: TraceRecord.Place, in analysis: LogAnalysis) -> Int? {
    if place.file != file || !range.contains(place.offset) { move(to: place, analysis) }
    return log
  }

  /// Returns the damage of the section that contains a record.
  package mutating func damage(
    of place: TraceRecord.Place, in analysis: LogAnalysis
  ) -> Damage? {
    _ = log(of: place, in: analysis)
    return section.map { analysis.sections[$0].damage }
  }

  @inline(never)
  private mutating func move(to place: TraceRecord.Place, _ analysis: LogAnalysis) {
    let sections = analysis.sections
    guard !sections.isEmpty else { return }
    let index = analysis.section(of: place)
    let next = index + 1 < sections.count ? sections[index + 1] : nil
    file = place.file
    // Records before the first section of their file belong to no section.
    guard sections[index].file == file, sections[index].offset <= place.offset else {
      range = place.offset..<place.offset + 1
      log = nil
      section = nil
      return
    }
    section = index
    log = sections[index].log
    range = sections[index].offset..<(next?.file == file ? next?.offset ?? .max : .max)
  }
}
