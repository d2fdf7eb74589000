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
  private let actions: ExternalActions
  private let saver: ViewSaver
  private let depth: ColorDepth
  private let showsLinks: Bool
  private var parser = KeyParser()
  private var shown: Screen?
  private var exitCode: ExitCode?
  /// The time of the last keys, by the clock of `now()`.
  private var lastInput: UInt64 = 0

  /// The time in milliseconds after an escape byte in which further bytes belong to it.
  private static let escapeTime: Int32 = 30
  /// The time in milliseconds between two frames of a replay.
  private static let tickTime: Int32 = 33

  package init(
    _ viewer: Viewer, _ session: TerminalSession, _ messageQueue: MessageQueue, _ log: LogWorker,
    _ actions: ExternalActions, _ saver: ViewSaver, depth: ColorDepth, showsLinks: Bool
  ) {
    self.showsLinks = showsLinks
    self.viewer = viewer
    self.session = session
    self.messageQueue = messageQueue
    self.log = log
    self.actions = actions
    self.saver = saver
    self.depth = depth
    searching = SearchWorker(messageQueue)
  }

  /// Runs until the user quits, a signal ends the process, or the terminal goes away.
  package func run() throws -> ExitCode {
    // However the view ends, it is saved before the session lets a signal end the process.
    defer { saver.finish(viewer.changedView) }
    let size = session.size()
    tell(.resized(columns: size.columns, rows: size.rows))
    session.setMouse(viewer.terminal.usesMouse)
    while exitCode == nil, !session.hasEnded {
      draw()
      try wait()
    }
    searching.stop()
    log.stop()
    actions.giveUp()
    return exitCode ?? .clean
  }

  private func wait() throws {
    var requests = [session.input, session.signalDescriptor, messageQueue.descriptor].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    var limit: Int32 = viewer.needsTicks ? Self.tickTime : -1
    if parser.isPending { limit = Self.escapeTime }
    let count = poll(&requests, nfds_t(requests.count), limit)
    if count < 0, errno != EINTR { exitCode = .cannotOpen }
    if requests[1].revents != 0 { try takeSignals() }
    guard exitCode == nil else { return }
    if requests[0].revents != 0 {
      takeInput()
      lastInput = Self.now()
    } else if parser.isPending, Self.now() &- lastInput >= UInt64(Self.escapeTime) * 1_000_000 {
      // An unfinished key sequence ends here, no matter which other requests have arrived.
      parser.flush().forEach { tell(.input($0)) }
      lastInput = Self.now()
    }
    if requests[2].revents != 0 { messageQueue.take().forEach(tell) }
    if viewer.needsTicks { tell(.ticked(Self.now())) }
  }

  private func takeInput() {
    guard case .bytes(let bytes) = session.read() else { return }
    for input in parser.feed(bytes) where exitCode == nil { tell(.input(input)) }
  }

  private func takeSignals() throws {
    for signal in try session.takeSignals() {
      switch signal {
      // The session ends the process with the same signal when it finishes.
      case .interrupted: exitCode = .interrupted
      case .resized: resize()
      case .continued:
        shown = nil
        resize()
      }
    }
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
    let screen = Screen(
      ScreenView(viewer: viewer).frame, columns: viewer.terminal.columns, rows: viewer.terminal.rows
    )
    let bytes = ScreenDiff.bytes(from: shown, to: screen, depth: depth, showsLinks: showsLinks)
    if !bytes.isEmpty { session.write(bytes) }
    shown = screen
  }

  private func perform(_ effect: Effect) {
    switch effect {
    case .arrange(let arrangement, let isFrozen):
      log.arrange(arrangement, of: isFrozen ? viewer.snapshot : nil)
    case .read(let request): tell(.read(EventLookup(viewer).page(request)))
    case .find(let request): tell(.found(request, EventLookup(viewer).find(request)))
    case .search(let text): searching.start(text, in: viewer.viewed)
    case .stopSearch: searching.stop()
    case .readHits(let request): tell(.readHits(EventLookup(viewer).texts(request)))
    case .summarize(let range): log.summarize(viewer.viewed, in: range)
    case .findGrowth(let range): log.findGrowth(viewer.viewed, in: range)
    case .copy(let text): session.write(Array(Clipboard.sequence(text).utf8))
    case .open(let file, let line): open(file, line)
    case .export(let path, let members, let overwrites):
      actions.export(viewer.viewed, members, to: path, overwrites: overwrites, messageQueue)
    case .locate(let files): actions.locate(files, messageQueue)
    case .readSource(let place, let path): actions.read(place, in: path, messageQueue)
    case .setMouse(let isOn): session.setMouse(isOn)
    case .redraw:
      session.refresh()
      shown = nil
    case .suspend:
      do { try session.suspend() } catch { exitCode = .cannotOpen }
      shown = nil
      resize()
    case .save(let view): saver.save(view, messageQueue)
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
    shown = nil
    resize()
    if let problem { tell(.said(Notice(text: problem, isError: true))) }
  }

  /// Returns the time in nanoseconds of a monotonic clock.
  private static func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
