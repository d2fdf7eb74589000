package import TraceAnalysis
import TraceFormat
package import ViewerConsole

/// The order in which a report shows things, and their maximum number.
package struct ReportOptions: Sendable {
  /// The order, or `nil` for the order of the timeline, in which lanes are below the lanes that
  /// they were made for.
  var order: ReportOrder?
  /// The limit that the user set, if any. 0 shows all.
  var limit: Int?

  /// The notes of a user from the file next to the log.
  var notes: [ReportNote] = []

  package init(order: ReportOrder? = nil, limit: Int? = nil, notes: [ReportNote] = []) {
    self.notes = notes
    self.order = order
    self.limit = limit
  }

  /// Returns the number of things to show. `usual` is the number without a limit of the user.
  func maxCount(_ usual: Int) -> Int {
    guard let limit else { return usual }
    return limit == 0 ? .max : limit
  }

  func sort(_ lanes: [LaneSummary]) -> [LaneSummary] {
    switch order {
    case nil: lanes
    case .time: stable(lanes) { $0.first < $1.first }
    case .lane: stable(lanes) { $0.lane < $1.lane }
    case .elements: stable(lanes) { $0.elements > $1.elements }
    case .life: stable(lanes) { $0.oldest > $1.oldest }
    }
  }

  /// Sorts indices in `LogAnalysis.lifecycles`.
  func sort(_ members: some Collection<Int>, of figures: ExcerptFigures) -> [Int] {
    let log = figures.excerpt.log
    let all = log.lifecycles
    return switch order {
    case nil: Array(members)
    case .time: stable(Array(members)) { all[$0].start < all[$1].start }
    case .lane: stable(Array(members)) { all[$0].site.lane < all[$1].site.lane }
    case .elements: stable(Array(members)) { figures.elements(of: $0) > figures.elements(of: $1) }
    case .life: stable(Array(members)) { log.age(of: all[$0]) > log.age(of: all[$1]) }
    }
  }

  /// Sorts elements and keeps the order of equal ones.
  private func stable<Element>(
    _ elements: [Element], _ isBefore: (Element, Element) -> Bool
  ) -> [Element] {
    elements.enumerated().sorted { left, right in
      if isBefore(left.element, right.element) { return true }
      return !isBefore(right.element, left.element) && left.offset < right.offset
    }.map(\.element)
  }
}

/// A text that a user wrote for a time of a log in the interactive view.
package struct ReportNote: Equatable, Sendable {
  /// The time on the axis of all logs.
  let time: Nanoseconds
  let text: String

  /// Returns the notes next to the logs of a command, and a sentence for each file that can't be
  /// used.
  ///
  /// - Parameter paths: The logs. The notes of a file are used if it is about one of them.
  package static func notes(
    nextTo paths: [String], _ log: LogAnalysis, _ times: TimeRange
  ) -> (notes: [ReportNote], problems: [String]) {
    var notes: [ReportNote] = []
    var problems: [String] = []
    for path in paths {
      guard let file = ViewFile(logs: [path]) else { continue }
      switch file.read() {
      case .missing: break
      case .unusable(let reason): problems.append("\(file.path): The notes are missing. \(reason)")
      case .view(let view):
        guard let owner = log.logs.first(where: { $0.header?.trace == view.trace }) else { break }
        notes += view.notes.map {
          ReportNote(time: Nanoseconds($0.time).after(owner.offset), text: $0.text)
        }
      }
    }
    return (notes.filter { times.contains($0.time) }.sorted { $0.time < $1.time }, problems)
  }
}
