import SystemLibrary
package import TerminalUI
import TraceAnalysis
import TraceFormat
package import ViewerConsole

/// The loop that waits for keys, the log and the clock, updates the viewer, and draws the result.
/// Nothing else waits or draws.
package final class ViewerLoop {
  private var viewer: Viewer
  private let session: TerminalSession
  private let messageQueue: MessageQueue
  private let log: LogWorker
  private let searching: SearchWorker
  private let counting: SearchWorker
  private let actions: ExternalActions
  private let saver: ViewSaver
  private let terminal: ViewTerminal
  private var exitCode: ExitCode?
  /// A Boolean value that indicates whether the user wants to see the other log of a comparison.
  private(set) var turns = false

  /// The time in milliseconds between two frames of a replay.
  private static let tickTime: Int32 = 33

  package init(
    _ viewer: Viewer, _ session: TerminalSession, _ messageQueue: MessageQueue, _ log: LogWorker,
    _ actions: ExternalActions, _ saver: ViewSaver, depth: ColorDepth, showsLinks: Bool
  ) {
    terminal = ViewTerminal(session, depth: depth, showsLinks: showsLinks)
    self.viewer = viewer
    self.session = session
    self.messageQueue = messageQueue
    self.log = log
    self.actions = actions
    self.saver = saver
    searching = SearchWorker(messageQueue)
    counting = SearchWorker(messageQueue)
  }

  /// Runs until the user quits, a signal ends the process, or the terminal goes away, or until the
  /// user turns to the other log of a comparison, after which it can run again.
  package func run() throws -> ExitCode {
    (exitCode, turns) = (nil, false)
    terminal.forget()
    // However the view ends, it is saved before the session lets a signal end the process.
    defer { saver.finish(viewer.changedView) }
    let size = session.size()
    tell(.resized(columns: size.columns, rows: size.rows))
    session.setMouse(viewer.terminal.usesMouse)
    while exitCode == nil, !session.hasEnded {
      draw()
      try wait()
    }
    if !turns { stop() }
    return exitCode ?? .clean
  }

  /// Stops all work in the background.
  func stop() {
    searching.stop()
    counting.stop()
    log.stop()
    actions.giveUp()
  }

  /// The selected lane and time of the log of a comparison.
  var place: ComparedPlace {
    get { viewer.comparedPlace }
    set { viewer.arrive(at: newValue) }
  }

  private func wait() throws {
    let events = try terminal.wait(
      for: messageQueue.descriptor, limit: viewer.needsTicks ? Self.tickTime : -1)
    if events.hasFailed { exitCode = .cannotOpen }
    for signal in events.signals { end(with: terminal.take(signal, resize: resize)) }
    for input in events.inputs where exitCode == nil { tell(.input(input)) }
    guard exitCode == nil else { return }
    if events.isReadable { messageQueue.take().forEach(tell) }
    if viewer.needsTicks { tell(.ticked(ViewTerminal.now())) }
  }

  private func end(with code: ExitCode?) {
    if let code { exitCode = code }
  }

  private func resize() {
    let size = session.size()
    tell(.resized(columns: size.columns, rows: size.rows))
  }

  private func tell(_ message: Message) {
    for effect in viewer.update(message) { perform(effect) }
  }

  private func draw() {
    guard exitCode == nil else { return }
    terminal.draw(
      ScreenView(viewer: viewer).frame, columns: viewer.terminal.columns,
      rows: viewer.terminal.rows)
  }

  private func perform(_ effect: Effect) {
    switch effect {
    case .arrange(let arrangement, let isFrozen):
      log.arrange(arrangement, of: isFrozen ? viewer.snapshot : nil)
    case .read(let request): tell(.read(EventLookup(viewer).page(request)))
    case .find(let request): tell(.found(request, EventLookup(viewer).find(request)))
    case .search(let query): searching.start(query, in: viewer.viewed)
    case .stopSearch: searching.stop()
    case .count(let filter): counting.count(filter, in: viewer.viewed.judged)
    case .readHits(let request): tell(.readHits(EventLookup(viewer).texts(request)))
    case .summarize(let range): log.summarize(viewer.viewed, in: range)
    case .findGrowth(let range): log.findGrowth(viewer.viewed, in: range)
    case .copy(let text): terminal.copy(text)
    case .open(let file, let line): open(file, line)
    case .export(let path, let members, let overwrites):
      actions.export(viewer.viewed, members, to: path, overwrites: overwrites, messageQueue)
    case .locate(let files): actions.locate(files, messageQueue)
    case .readSource(let place, let path): actions.read(place, in: path, messageQueue)
    case .setMouse(let isOn): session.setMouse(isOn)
    case .redraw: terminal.redraw()
    case .suspend: end(with: terminal.suspend(resize: resize))
    case .save(let view): saver.save(view, messageQueue)
    case .openSide: break
    case .turn: (exitCode, turns) = (.clean, true)
    case .quit(let code): exitCode = code
    }
  }

  /// Lends the terminal to an editor until the editor ends.
  private func open(_ file: String, _ line: Int) {
    let path: String
    switch actions.sourceFile(file) {
    case .found(let found): path = found
    case .ambiguous(let candidates):
      let shown = candidates.prefix(3).joined(separator: ", ")
      let rest = candidates.count > 3 ? " and \(candidates.count - 3) more" : ""
      let text = "\(file) may be \(shown)\(rest); run trace-viewer in the folder of the right one"
      return tell(.said(Notice(text: text, isError: true)))
    case .missing:
      let text = "cannot open \(file): no such file in \(actions.directory)"
      return tell(.said(Notice(text: text, isError: true)))
    }
    session.leave()
    let problem = actions.edit(path, line: line, input: session.input) { session.isTerminating }
    do { try session.enter() } catch { exitCode = .cannotOpen }
    terminal.forget()
    resize()
    if let problem { tell(.said(Notice(text: problem, isError: true))) }
  }
}
