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
  /// When the inspection began, in the notation of the header of a log.
  let started: String
  /// The processes that couldn't be inspected, or whose programs aren't the user's.
  package let others: [ProcessEntry]
  /// The function that leaked a continuation, as the Swift runtime printed it.
  let leakedContinuation: String?

  package init(
    command: String, limit: RunLimit?, started: String, log: LogAnalysis, others: [ProcessEntry],
    leakedContinuation: String? = nil
  ) {
    self.command = command
    self.limit = limit
    self.started = started
    self.log = log
    self.others = others
    self.leakedContinuation = leakedContinuation
  }

  private func views(isFull: Bool) -> [InspectionView] {
    InspectionView.all(log, isFull: isFull, isHang: limit != nil)
  }

  /// The causes in all processes.
  var causes: [HangGroup] { views(isFull: false).flatMap(\.groups) }

  /// Returns the causes in all processes, each with the lines of what it is about.
  ///
  /// - Parameter room: The maximum number of lines for one, which is at least 3.
  func paths(_ page: Page, room: Int) -> [(group: HangGroup, path: [Line])] {
    views(isFull: false).flatMap { view in
      view.groups.map { ($0, view.path(of: $0, page, room: room)) }
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

  /// Returns the whole report: the most probable causes, and then the processes.
  package func lines(_ page: Page, isFull: Bool) -> [Line] {
    let views = views(isFull: isFull)
    var parts = [page.wrap(page.safe(sentence(page)), Style(isBold: true))]
    var room = (isFull ? .max / 2 : InspectionView.maxLines) - 6
    let causes = InspectionView.causes(views, page).lines(room: room / 2)
    parts.append(causes.isEmpty ? page.wrap(page.safe(phase)) : causes)
    if let leakedContinuation {
      parts.append(
        page.wrap(
          page.safe(
            "The Swift runtime printed: \(leakedContinuation) leaked its continuation. "
              + "Whatever awaits it waits forever.")))
    }
    room -= parts.joined().count
    var left: [Int] = []
    for (number, view) in views.enumerated() {
      guard room > Self.minScene else {
        left.append(number)
        continue
      }
      let scene = view.scene(page, room: room / min(views.count - number, 4))
      parts.append(scene)
      room -= scene.count + 1
    }
    return InspectionView.joined(parts + [rest(left.map { log.logs[$0].title }, page)])
  }

  /// The minimum number of lines for a process.
  private static let minScene = 8

  /// The sentence that replaces the causes if none is known.
  var phase: String {
    guard let compiler = others.first(where: { Self.compilers.contains($0.name) }) else {
      return "The cause isn't known."
    }
    return "The command is still building: process \(compiler.process) (\(compiler.name)) runs. "
      + "A slow build needs a longer limit, or a build before the command."
  }

  /// The names of the programs of a build, as the system cuts them.
  private static let compilers: Set<String> = [
    "swift-build", "swift-frontend", "swift-driver", "swiftc", "swift-autolink", "clang", "ld",
    "ld.gold", "lld", "ld.lld", "cc1", "cc1plus",
  ]

  /// Returns the processes that aren't described.
  private func rest(_ names: [String], _ page: Page) -> [Line] {
    let names = names + others.map { "\($0.name) (\($0.process))" }
    guard !names.isEmpty else { return [] }
    let shown = names.prefix(Self.maxNames).joined(separator: ", ")
    let missing = names.count - Self.maxNames
    let more = missing > 0 ? " and \(CountText.number(missing)) more" : ""
    return page.wrap(page.safe("Other processes: \(shown)\(more)"), .dim)
  }

  private static let maxNames = 8
}
