package import ProcessInspection
package import TerminalUI
package import TraceAnalysis
import TraceFormat
package import ViewerConsole

/// A time limit that a command reached.
package enum RunLimit: Equatable, Sendable {
  /// A time since the last output, in nanoseconds.
  case sinceOutput(Int)
  /// A time since the start, in nanoseconds.
  case total(Int)
}

/// What the processes of a command did at one moment.
package struct RunHang: Sendable {
  /// The command, as a person would type it.
  package let command: String
  /// The limit that was reached, or nil if a report was requested.
  package let limit: RunLimit?
  /// The logs of the inspections.
  private let log: LogAnalysis
  /// The processes that couldn't be inspected, or whose programs aren't the user's.
  package let others: [ProcessEntry]

  package init(command: String, limit: RunLimit?, log: LogAnalysis, others: [ProcessEntry]) {
    self.command = command
    self.limit = limit
    self.log = log
    self.others = others
  }

  private func views(isFull: Bool) -> [InspectionView] {
    InspectionView.all(log, isFull: isFull, isHang: limit != nil)
  }

  /// The findings of all processes, each with what it says.
  var findings: [(hang: Hang, sentence: String)] { views(isFull: false).flatMap(\.sentences) }

  /// Returns the sentence about the limit, such as "swift test printed nothing for 5 min."
  package func sentence(_ page: Page) -> String {
    switch limit {
    case .sinceOutput(let time):
      "\(command) printed nothing for \(page.duration(Nanoseconds(UInt64(max(0, time)))))."
    case .total(let time):
      "\(command) took longer than \(page.duration(Nanoseconds(UInt64(max(0, time)))))."
    case nil: "\(command) is running."
    }
  }

  /// Returns the whole report: the processes, and last the most probable causes.
  package func lines(_ page: Page, isFull: Bool) -> [Line] {
    let others = others.map { other in
      let command = other.command.isEmpty ? "?" : other.command.joined(separator: " ")
      var line = Line("PROCESS \(other.process)  ", .bold)
      line.append(page.cut(page.safeBeginning(command), to: max(16, page.width - 20)))
      return line
    }
    let views = views(isFull: isFull)
    let causes = InspectionView.joined(
      views.map { $0.findings(page, namesProcess: views.count > 1) })
    return InspectionView.joined(
      [page.wrap(page.safe(sentence(page)), Style(isBold: true)), others]
        + views.map { $0.scene(page) }
        + [causes.isEmpty ? page.wrap("The cause isn't known.") : causes])
  }
}
