import TraceAnalysis

/// A line of a source file, as a log names it.
struct SourcePlace: Equatable, Sendable {
  let file: String
  let line: Int

  init(file: String, line: Int) {
    self.file = file
    self.line = line
  }

  /// Creates a place from text such as `Module/File.swift:42`. Without a line, it is the first one.
  init(_ source: String) {
    let place = ObservedPlace(source: source)
    file = place.file ?? source
    line = place.line ?? 1
  }
}

/// The place that the key for the source opens.
enum SourceTarget: Equatable, Sendable {
  case place(SourcePlace)
  /// The source location of the lane of a subscription. The subscription is an index in the
  /// lifecycles.
  case lane(of: Int)
  /// The name of something that does not have a place.
  case nowhere(String)
  case nothing
}
