package import TerminalUI
package import ViewerConsole

/// The loop that waits for keys, updates the view of two logs, and draws it.
package final class ComparisonLoop {
  private var viewer: ComparisonViewer
  private let session: TerminalSession
  private let terminal: ViewTerminal
  private let messageQueue: MessageQueue
  private let searching: SearchWorker
  private let makeSide: MakingSide
  private var exitCode: ExitCode?

  /// Makes the full view of a log, which begins to read it, or returns nil if that is impossible.
  package typealias MakingSide = (ComparedSide, TerminalSession) -> ViewerLoop?

  private init(
    _ viewer: ComparisonViewer, _ session: TerminalSession, _ messageQueue: MessageQueue,
    depth: ColorDepth, _ makeSide: @escaping MakingSide
  ) {
    self.viewer = viewer
    self.session = session
    self.messageQueue = messageQueue
    self.makeSide = makeSide
    searching = SearchWorker(messageQueue)
    terminal = ViewTerminal(session, depth: depth, showsLinks: false)
  }

  /// Shows two logs until the user quits, a signal ends the process, or the terminal goes away.
  ///
  /// - Returns: The exit code, or nil if the user has quit in the usual way.
  package static func run(
    _ viewer: ComparisonViewer, input: Int32, output: Int32, depth: ColorDepth,
    _ makeSide: @escaping MakingSide
  ) throws -> ExitCode? {
    guard let queue = MessageQueue() else { return .cannotOpen }
    return try TerminalSession.run(input: input, output: output) { session in
      let code = try ComparisonLoop(viewer, session, queue, depth: depth, makeSide).run()
      return code == .clean ? nil : code
    }
  }

  private func run() throws -> ExitCode {
    resize()
    while exitCode == nil, !session.hasEnded {
      draw()
      let events = try terminal.wait(for: messageQueue.descriptor)
      if events.hasFailed { exitCode = .cannotOpen }
      for signal in events.signals { end(with: terminal.take(signal, resize: resize)) }
      for input in events.inputs where exitCode == nil {
        try viewer.update(input).forEach(perform)
      }
      if events.isReadable { messageQueue.take().forEach(take) }
    }
    searching.stop()
    return exitCode ?? .clean
  }

  private func end(with code: ExitCode?) {
    if let code { exitCode = code }
  }

  private func resize() {
    let size = session.size()
    viewer.resize(columns: size.columns, rows: size.rows)
  }

  private func draw() {
    let (columns, rows) = (viewer.terminal.columns, viewer.terminal.rows)
    terminal.draw(ComparisonScreen(viewer: viewer).frame, columns: columns, rows: rows)
  }

  private func take(_ message: Message) {
    if case .comparedRows(let rows, let query) = message { viewer.take(rows, of: query) }
  }

  private func perform(_ effect: Effect) throws {
    switch effect {
    case .search(let query):
      let logs = viewer.logs
      searching.start(query) { logs.rows(selectedBy: query, isWanted: $0) }
    case .stopSearch: searching.stop()
    case .openSide(let side, let place): try open(side, at: place)
    case .copy(let text): terminal.copy(text)
    case .redraw: terminal.redraw()
    case .suspend: end(with: terminal.suspend(resize: resize))
    case .quit(let code): exitCode = code
    default: break
    }
  }

  /// Shows the full views of the logs, one at a time, until the user goes back.
  private func open(_ first: ComparedSide, at place: ComparedPlace) throws {
    var loops: [ComparedSide: ViewerLoop] = [:]
    var (side, place) = (first, place)
    while true {
      guard let loop = loops[side] ?? makeSide(side, session) else {
        viewer.say("\(side.letter) can't be read again")
        break
      }
      loops[side] = loop
      loop.place = place
      let code = try loop.run()
      place = loop.place
      if code != .clean { exitCode = code }
      guard loop.turns, code == .clean, !session.hasEnded else { break }
      side = side.other
    }
    loops.values.forEach { $0.stop() }
    if exitCode == nil { viewer.point(to: place.time) }
    terminal.forget()
    session.setMouse(false)
    resize()
  }
}
