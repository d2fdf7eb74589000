/// The counts of a reader in one part of a file.
package struct ReadingTally: Equatable, Sendable {
  var records = 0
  /// The number of records whose event this version supports.
  var knownRecords = 0
  var bytes = 0
  var lines = 0
  /// The number of the last line, if it stops in the middle: it is torn if nothing follows it, and
  /// otherwise malformed.
  var cutLine: Int?
  /// A Boolean value that indicates whether there was only space.
  var isBlank = true

  init() {}

  /// Adds the tally of the following part, and returns the line that turns out to be malformed
  /// because something follows it.
  mutating func append(_ next: ReadingTally) -> Int? {
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
