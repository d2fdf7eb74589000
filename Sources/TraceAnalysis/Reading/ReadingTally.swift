/// What a reader came across in a stretch of a file.
package struct ReadingTally: Equatable, Sendable {
  package var records = 0
  /// Records whose event this version knows.
  package var knownRecords = 0
  package var bytes = 0
  package var lines = 0
  /// The last line, if it stopped in the middle: torn if nothing comes after it, else malformed.
  package var cutLine: Int?
  /// Whether there was nothing but space.
  package var isBlank = true

  package init() {}

  /// Adds what stands behind it; returns the line that turns out malformed because something comes after it.
  package mutating func append(_ next: ReadingTally) -> Int? {
    let malformed = next.isBlank ? nil : cutLine
    if !next.isBlank { cutLine = next.cutLine.map { $0 + lines } }
    records += next.records
    knownRecords += next.knownRecords
    bytes += next.bytes
    lines += next.lines
    isBlank = isBlank && next.isBlank
    return malformed
  }
}
