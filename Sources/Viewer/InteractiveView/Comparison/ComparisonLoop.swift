package import TerminalUI
package import ViewerConsole

/// The loop that waits for keys, updates the view of two logs, and draws it.
package final class ComparisonLoop {
  private var viewer: ComparisonViewer
  private let session: TerminalSession
  private let terminal: ViewTerminal
  private var exitCode: ExitCode?

  private init(_ viewer: ComparisonViewer, _ session: TerminalSession, depth: ColorDepth) {
    self.viewer = viewer
    self.session = session
    terminal = ViewTerminal(session, depth: depth, showsLinks: false)
  }

  /// Shows two logs until the user quits, a signal ends the process, or the terminal goes away.
  ///
  /// - Returns: The exit code, or nil if the user has quit in the usual way.
  package static func run(
    _ viewer: ComparisonViewer, input: Int32, output: Int32, depth: ColorDepth
  ) throws -> ExitCode? {
    try TerminalSession.run(input: input, output: output) { session in
      let code = try ComparisonLoop(viewer, session, depth: depth).run()
      return code == .clean ? nil : code
    }
  }

  private func run() throws -> ExitCode {
    resize()
    while exitCode == nil, !session.hasEnded {
      draw()
      let events = try terminal.wait()
      if events.hasFailed { exitCode = .cannotOpen }
      for signal in events.signals { end(with: terminal.take(signal, resize: resize)) }
      for input in events.inputs where exitCode == nil {
        viewer.update(input).forEach(perform)
      }
    }
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

  private func perform(_ effect: Effect) {
    switch effect {
    case .copy(let text): terminal.copy(text)
    case .redraw: terminal.redraw()
    case .suspend: end(with: terminal.suspend(resize: resize))
    case .quit(let code): exitCode = code
    default: break
    }
  }
}
