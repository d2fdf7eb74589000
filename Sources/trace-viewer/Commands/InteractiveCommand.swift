import InteractiveView
import TerminalUI
import TraceAnalysis
import TraceFormat
import TraceReports
import ViewerConsole

/// The command `trace-viewer LOG...` on a terminal: opens the interactive view.
enum InteractiveCommand {
  /// The options that the view supports. Any other option asks for a report.
  private static let options: Set<OptionSpec.Name> = [
    .color, .ascii, .mouse, .rule, .maxActive, .allow, .allowSource, .main, .config, .noConfig,
    .noViewFile,
  ]

  /// Reports whether the command line asks for the view and the terminal can show it.
  static func isMeant(_ console: Console) -> Bool {
    let arguments = console.arguments
    return !arguments.namesCommand && arguments.options.isSubset(of: options)
      && canShow(console)
  }

  /// Reports whether there is a terminal that supports cursor positioning.
  static func canShow(_ console: Console) -> Bool {
    guard console.out.isTerminal, let term = console.environment["TERM"] else { return false }
    return term != "dumb"
  }

  static func run(_ console: Console) throws(UsageError) -> ExitCode {
    guard let keyboard = console.keyboard() else { return try ReportCommand.run(console) }
    return try run(console, keyboard)
  }

  /// Runs the interactive view.
  ///
  /// - Parameter replay: The replay to begin with, if any.
  static func run(
    _ console: Console, _ keyboard: (input: Int32, output: Int32), follows: Bool = false,
    replay: Replay? = nil
  ) throws(UsageError) -> ExitCode {
    // Only one file can be followed, so a folder is refused when it is opened.
    let operands = console.arguments.operands
    let logs = follows ? nil : LogPaths(operands)
    let paths = logs?.files ?? operands
    let settings = try LoadedSettings.load(console)
    if let logs, let code = firstFailure(logs, console) { return code }
    guard let messageQueue = MessageQueue() else { return .cannotOpen }
    let file = console.arguments.has(.noViewFile) ? nil : ViewFile(logs: paths)
    let saved = file?.read() ?? .missing
    let saver = saver(file, saved.view)
    let viewer = Viewer(
      TerminalState(glyphs: console.page.glyphs, usesMouse: console.arguments.has(.mouse)),
      follows: follows, replay: replay, lanes: console.arguments.all(.lane),
      host: Hyperlink.localHost(), saved: saved.view, savesView: file != nil, problem: saved.reason)
    let log = LogWorker(
      GrowingLog(paths: paths, follows: follows), settings.rules, follows: follows, messageQueue)
    let actions = ExternalActions(console.environment, directory: console.directory, inputs: paths)
    let depth = depth(console)
    let showsLinks = depth != .none && Hyperlink.areSupported(console.environment)
    // A pipe must be read to its end before there is anything to show, so reading starts before the
    // program takes over the screen.
    log.start(viewer)
    do {
      let code = try TerminalSession.run(input: keyboard.input, output: keyboard.output) {
        try ViewerLoop(
          viewer, $0, messageQueue, log, actions, saver, depth: depth, showsLinks: showsLinks
        ).run()
      }
      report(saver, console)
      return failure(of: log, console) ?? code
    } catch {
      console.writeError("Error", "The terminal cannot be used: \(error).")
      return .cannotOpen
    }
  }

  /// Returns the full view of a log of a comparison, which begins to read it, or nil if the system
  /// has no descriptors left. Nothing that the user arranges is saved.
  static func loop(
    _ side: ComparedSide, _ files: [String], _ settings: LoadedSettings, _ console: Console,
    _ session: TerminalSession
  ) -> ViewerLoop? {
    guard let messageQueue = MessageQueue() else { return nil }
    var viewer = Viewer(TerminalState(glyphs: console.page.glyphs), host: Hyperlink.localHost())
    viewer.showSide(side)
    let log = LogWorker(
      GrowingLog(paths: files, follows: false), settings.rules, follows: false, messageQueue)
    let actions = ExternalActions(console.environment, directory: console.directory, inputs: files)
    let depth = depth(console)
    log.start(viewer)
    return ViewerLoop(
      viewer, session, messageQueue, log, actions, ViewSaver(nil, nil), depth: depth,
      showsLinks: depth != .none && Hyperlink.areSupported(console.environment))
  }

  /// Returns the colors to use.
  static func depth(_ console: Console) -> ColorDepth {
    let usesColor = console.arguments.color.isOn(
      environment: console.environment, isTerminal: console.out.isTerminal)
    return usesColor ? ColorDepth.of(console.environment) : .none
  }

  private static func saver(_ file: ViewFile?, _ view: SavedView?) -> ViewSaver {
    guard let file else { return ViewSaver(nil, nil) }
    return ViewSaver(view) { file.write($0, since: $1) }
  }

  /// Reports a view that isn't saved with the notes that would be lost.
  private static func report(_ saver: ViewSaver, _ console: Console) {
    if let path = saver.otherPath {
      console.writeError("Note", "The notes of another log are now in \(path).")
    }
    guard let failure = saver.failure else { return }
    console.writeError("Note", "\(failure.path): The view isn't saved. \(failure.reason)")
    for note in saver.lostNotes {
      let time = console.page.duration(Nanoseconds(note.time))
      console.writeError("Note", "The note at \(time) isn't saved: \(note.text)")
    }
  }

  /// Reports files that can't be opened before the program takes over the screen.
  private static func firstFailure(_ paths: LogPaths, _ console: Console) -> ExitCode? {
    var failure: ExitCode?
    for error in paths.errors {
      let code = OpenedLogs.report(error, console)
      failure = failure ?? code
    }
    for path in paths.files where path != "-" {
      do throws(LogError) {
        try LogSource.check(path)
      } catch {
        let code = OpenedLogs.report(error, console)
        failure = failure ?? code
      }
    }
    return failure
  }

  /// Reports what was wrong with files after the program gives back the screen.
  private static func failure(of log: LogWorker, _ console: Console) -> ExitCode? {
    var failure: ExitCode?
    for error in log.errors {
      let code = OpenedLogs.report(error, console)
      failure = failure ?? code
    }
    return failure
  }
}

extension ExternalActions {
  /// Creates the actions with all export formats.
  ///
  /// - Parameter inputs: The logs, which no export may overwrite.
  convenience init(_ environment: Environment, directory: String, inputs: [String]) {
    self.init(environment, directory: directory, inputs: inputs) {
      (format, excerpt, times, verdict, output) throws(LogError) in
      let verdict = format.exporter.hasFindings ? verdict : nil
      try format.export(ExportSelection(excerpt, times, verdict), to: output)
    }
  }
}
