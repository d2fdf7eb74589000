package import TraceAnalysis
import TraceFormat
import ViewerConsole

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
    return (
      notes.filter { times.contains($0.time) }.sorted { $0.time < $1.time }, problems
    )
  }
}
