/// The rows of the table, by what an operation does.
///
/// Each contestant does the same work in a row, with the same numbers.
enum RowName: String, CaseIterable, Codable {
  case observer = "subject -> 1 observer"
  case stages = "subject -> 4 map, 2 filter -> observer"
  case sequence = "cold sequence of 1M -> map -> filter -> sum"
  case scan = "scan -> removeDuplicates"
  case observing = "make map->filter over a subject, observe, dispose"
  case observingAmongMany = "the same with 10,000 other observers alive"
  case fanOut = "one delivery of a fan-out to 1,000 observers"
  case combineLatest = "combineLatest of 2"
  case flatMapLatest = "flatMapLatest with a one-element inner signal"
  case merge = "merge of 8 subjects"
  case property = "Property set, 1 observer"
  case replaySending = "replay subject of 16, send"
  case replayObserving = "replay subject of 16, observe"
  case racing = "4 threads sending to one subject, wall"

  /// The number of operations in one repetition of the work.
  var operationsPerCall: Double {
    switch self {
    case .sequence: 1_000_000
    case .fanOut: 1_000
    default: 1
    }
  }

  /// The repetitions after which the sums of all contestants must be equal.
  var checkedRepetitions: Int { self == .sequence ? 1 : 100 }
}
