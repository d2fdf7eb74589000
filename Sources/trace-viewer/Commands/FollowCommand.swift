import SystemLibrary
import TerminalUI
import TraceAnalysis
import TraceReports
import ViewerCommandLine
import ViewerConsole

/// The command `trace-viewer follow LOG` without a terminal: prints each event as a line when it is
/// written, as `tail -F` does, and the findings when the log ends.
///
/// It only ends if the log can't be opened, by a signal, or when nobody reads its output anymore.
/// It writes everything that it read before it reads on, so it waits for a slow reader.
struct PlainFollow {
  private let path: String
  private let console: Console
  private let settings: LoadedSettings
  /// The lanes whose events are printed.
  private let lanes: LanePatterns
  private let log: GrowingLog
  private var events = NewEventReader()
  /// What was last said about the file.
  private var state = FileState.unread
  private var restarts = 0
  /// A Boolean value that indicates whether the findings of the log were printed.
  private var isJudged = false
  private var hasLog = false
  private var laneWidth = 0
  private var problem: LogError?

  private enum FileState {
    case unread, missing, present
  }

  /// The pause in milliseconds before the next attempt to read a log that hasn't grown: at first,
  /// and after `maxShortPauses` attempts.
  private static let pause = (first: 50, later: 200)
  private static let maxShortPauses = 40
  /// The number of attempts to read a file that has no record before the reason is looked for.
  private static let attemptsBeforeExamining = 60

  init(_ path: String, _ console: Console) throws(UsageError) {
    self.path = path
    self.console = console
    settings = try LoadedSettings.load(console)
    lanes = LanePatterns(console.arguments)
    log = GrowingLog(paths: [path], follows: true)
  }

  consuming func run() -> ExitCode {
    var idle = 0
    while true {
      let start = ContinuousClock.now
      var pause = idle < Self.maxShortPauses ? Self.pause.first : Self.pause.later
      do throws(LogError) {
        let snapshot = try log.advance()
        noteFile()
        if let snapshot {
          try show(snapshot)
          // A view of a large log takes time, which must not be spent for each new record.
          let cost = Int(start.duration(to: .now) / .milliseconds(1))
          pause = snapshot.bytesRead < snapshot.bytesTotal ? 0 : min(max(30, 4 * cost), 1000)
          idle = 0
        } else {
          if idle == 1 { MemoryOfReading.giveBack() }
          if idle == Self.attemptsBeforeExamining, !hasLog { examine() }
          idle += 1
        }
      } catch {
        if state == .unread { return OpenedLogs.report(error, console) }
        note(error)
        idle += 1
      }
      console.out.output.flush()
      guard console.out.output.failure == nil else { return .cannotWrite }
      if isUnread(after: pause) {
        // That is what the next write would do. The program ends silently.
        raise(SIGPIPE)
        return .cannotWrite
      }
    }
  }

  /// Prints what is new in the log.
  private mutating func show(_ snapshot: LogSnapshot) throws(LogError) {
    if snapshot.restarts != restarts {
      restarts = snapshot.restarts
      isJudged = false
      say("Note", "\(path): The file was replaced or cut short. Reading it from its beginning.")
    }
    hasLog = !snapshot.analysis.logs.isEmpty
    let lines = ReplayLines(snapshot.analysis, console.page, minLaneWidth: laneWidth)
    laneWidth = lines.laneWidth
    let (console, lanes, lifecycles) = (console, self.lanes, snapshot.analysis.lifecycles)
    try events.read(snapshot) { event in
      guard console.out.output.failure == nil,
        event.lifecycle.map({ lanes.matches(lifecycles[$0].site.lane) }) ?? true
      else { return }
      console.write([lines.line(event)])
    }
    if let error = snapshot.errors.first { note(error) }
    guard snapshot.isComplete else {
      isJudged = false
      return
    }
    guard !isJudged, snapshot.bytesRead >= snapshot.bytesTotal else { return }
    isJudged = true
    let verdict = Verdict(snapshot.analysis, settings.rules)
    console.write([Line()] + VerdictSection(snapshot.analysis, verdict).lines(console.page))
  }

  /// Says that the file isn't there, or that it is there again.
  private mutating func noteFile() {
    let isThere = console.fileExists(path) && !log.isGone
    switch (state, isThere) {
    case (.unread, false), (.present, false):
      let sentence =
        state == .unread
        ? "There is no such file yet. Waiting for it."
        : "The file is gone. Waiting for another one."
      say("Note", "\(path): \(sentence)")
      state = .missing
    case (_, true): state = .present
    case (.missing, false): break
    }
  }

  /// Says why nothing was read from a file that isn't empty. It may be another file than was meant.
  private mutating func examine() {
    guard state == .present, let source = try? LogSource(path: path), source.size > 0,
      let error = try? LogAnalysis.read([source]).errors.first
    else { return }
    note(error)
  }

  /// Reports a problem once. It may be solved: another file may take the place of this one.
  private mutating func note(_ error: LogError) {
    guard error != problem else { return }
    problem = error
    say("Warning", "\(error.location): \(error.sentence)")
  }

  /// Writes a message after all lines that precede it.
  private func say(_ kind: String, _ sentence: String) {
    console.out.output.flush()
    console.writeError(kind, sentence)
    console.error.output.flush()
  }

  /// Waits, and reports whether nobody reads the output anymore. A pipe without a reader would
  /// otherwise only be noticed when the log grows.
  private func isUnread(after milliseconds: Int) -> Bool {
    var request = pollfd(fd: console.out.output.descriptor ?? -1, events: 0, revents: 0)
    return poll(&request, 1, Int32(milliseconds)) > 0
      && request.revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0
  }
}

/// The command `trace-viewer follow LOG`: opens the interactive view of a log that is being
/// written, or prints its events as lines.
enum FollowCommand {
  static func run(_ console: Console) throws(UsageError) -> ExitCode {
    guard let path = console.arguments.operands.first else { throw .missingLog(.follow) }
    guard path != "-" else {
      throw UsageError(
        .wrongValue, .follow,
        "Standard input cannot be followed. Name the file that the recorder writes.")
    }
    guard InteractiveCommand.canShow(console), let keyboard = console.keyboard() else {
      return try PlainFollow(path, console).run()
    }
    return try InteractiveCommand.run(console, keyboard, follows: true)
  }
}
