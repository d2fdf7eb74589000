package import ProcessInspection
package import TerminalUI
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
  package let inspections: [Inspection]
  /// The processes that couldn't be inspected, or whose programs aren't the user's.
  package let others: [ProcessEntry]

  package init(
    command: String, limit: RunLimit?, inspections: [Inspection], others: [ProcessEntry]
  ) {
    self.command = command
    self.limit = limit
    self.inspections = inspections
    self.others = others
  }

  /// A finding with the process in which it was found.
  package struct Finding: Sendable {
    package let finding: HangFinding
    package let inspection: Inspection
    fileprivate let isHang: Bool

    /// What the finding says.
    package var sentence: String {
      InspectionWords.sentence(finding, in: inspection, isHang: isHang)
    }
  }

  /// The findings of all processes.
  package var findings: [Finding] {
    inspections.flatMap { inspection in
      inspection.findings.map {
        Finding(finding: $0, inspection: inspection, isHang: limit != nil)
      }
    }
  }

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
    var lines = page.wrap(page.safe(sentence(page)), Style(isBold: true)) + [Line()]
    for other in others {
      let command = other.command.isEmpty ? "?" : other.command.joined(separator: " ")
      lines.append(Line("PROCESS \(other.process)  ", .bold))
      lines[lines.count - 1].append(
        page.cut(page.safeBeginning(command), to: max(16, page.width - 20)))
    }
    if !others.isEmpty { lines.append(Line()) }
    for inspection in inspections {
      let view = InspectionView(inspection, isFull: isFull)
      lines += view.scene(page) + [Line()]
    }
    let causes = inspections.map {
      InspectionView($0, isFull: isFull, isHang: limit != nil)
        .findings(page, namesProcess: inspections.count > 1)
    }.filter { !$0.isEmpty }
    return lines
      + (causes.isEmpty
        ? page.wrap("The cause isn't known.") : Array(causes.joined(separator: [Line()])))
  }
}
