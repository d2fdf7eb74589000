/// A range of a file that does not contain a record yet: blank space that a thread reserved to fill
/// it later, or unfinished lines.
struct LogGap: Sendable {
  let file: Int
  var range: Range<Int>
  /// The number of the line that begins the gap.
  var line: Int
  /// The number of line ends in the gap.
  var newlines: Int
  /// The number of checks since anything in the gap changed.
  var looks = 0
  /// The number of bytes in the gap that are not blank.
  var bytes = 0

  /// The number of checks without a change after which a line is final.
  static let patience = 50
  /// The length of the smallest gap, in bytes. No line with an object is shorter.
  static let smallest = 8
}
