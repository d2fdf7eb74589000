/// A stretch of a file in which no record stands yet: blank space that a thread took to fill it later, or lines that are not
/// finished.
struct LogGap: Sendable {
  let file: Int
  var range: Range<Int>
  /// The number of the line that begins it.
  var line: Int
  /// How many lines end in it.
  var newlines: Int
  /// How often it was looked at since anything in it changed.
  var looks = 0
  /// How many bytes in it are not blank.
  var bytes = 0

  /// After so many looks without a change a line stays as it is.
  static let patience = 50
  /// No line of an object is shorter.
  static let smallest = 8
}
