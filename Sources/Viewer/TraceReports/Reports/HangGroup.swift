import TraceAnalysis
import TraceFormat
import TraceWords
import ViewerConsole

/// The tests of a process, or the process itself, that hang in one place for one cause.
struct HangGroup {
  let log: TraceLog
  /// The one that is described.
  let hang: Hang
  /// What it says.
  let sentence: String
  /// The names of all the tests.
  private(set) var tests: [String]

  /// - Parameter isHang: A Boolean value that indicates whether the process is known to hang.
  static func all(of log: TraceLog, isHang: Bool) -> [HangGroup] {
    struct Kind: Hashable {
      let cause: Hang.Cause
      let pause: UnfinishedTask.Pause?
      let isProven: Bool
      let place: UnfinishedTask.Call
    }
    var groups: [HangGroup] = []
    var known: [Kind: Int] = [:]
    for hang in log.inspection?.hangs ?? [] {
      let tests = [hang.test].compactMap(\.self)
      let kind = hang.places.first.map {
        Kind(cause: hang.cause, pause: hang.pause, isProven: hang.isProven, place: $0)
      }
      if let kind, let number = known[kind] {
        groups[number].tests += tests
        continue
      }
      if let kind { known[kind] = groups.count }
      groups.append(
        HangGroup(
          log: log, hang: hang, sentence: HangWords.sentence(hang, in: log, isHang: isHang),
          tests: tests))
    }
    return groups
  }

  /// The sentence about the other tests, or nil if only one hangs.
  var others: String? {
    guard tests.count > 1 else { return nil }
    let names = tests.dropFirst().prefix(Self.maxNames).joined(separator: ", ")
    let rest = tests.count - 1 - Self.maxNames
    return "The same is true of \(CountText.make(tests.count - 1, "other test")): \(names)"
      + (rest > 0 ? " and \(CountText.number(rest)) more." : ".")
  }

  private static let maxNames = 8
}
