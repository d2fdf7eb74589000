import SystemLibrary
import TerminalUI
import TraceAnalysis

/// The two outputs of the program and what is known about them.
struct Console {
  struct Stream {
    let output: Output
    let isTerminal: Bool
  }

  let out: Stream
  let error: Stream
  let environment: Environment
  /// What the terminal behind standard output says; `nil` where it is none.
  let terminalColumns: Int?
  /// Tells a log from a mistyped command.
  let fileExists: (String) -> Bool
  /// Where settings and sources are looked for, an absolute path; empty where that is not known.
  var directory = WorkingDirectory.path
  var arguments = ParsedArguments()
  /// Whether standard input is a terminal, from which no log comes.
  var inputIsTerminal = false
  /// Where keys come from, and where what they do is drawn; nil where there is no terminal for both.
  var keyboard: () -> (input: Int32, output: Int32)? = { nil }

  /// The outputs of this process.
  static func standard() -> Console {
    var console = Console(
      out: Stream(
        output: Output(descriptor: STDOUT_FILENO), isTerminal: isatty(STDOUT_FILENO) == 1),
      error: Stream(
        output: Output(descriptor: STDERR_FILENO), isTerminal: isatty(STDERR_FILENO) == 1),
      environment: .current(), terminalColumns: TerminalSize.ask(STDOUT_FILENO),
      fileExists: { path in RawPath.with(path) { access($0, F_OK) } == 0 },
      keyboard: {
        isatty(STDOUT_FILENO) == 1
          ? TerminalSession.inputDescriptor().map { ($0, STDOUT_FILENO) } : nil
      })
    console.inputIsTerminal = isatty(STDIN_FILENO) == 1
    return console
  }

  /// What reports are laid out on.
  var page: Page {
    page(columns: TerminalSize.columns(terminal: terminalColumns, environment: environment))
  }

  /// What help and messages are laid out on: 80 columns where nobody says.
  var helpPage: Page {
    let isKnown = terminalColumns != nil || environment["COLUMNS"] != nil
    return isKnown ? page : page(columns: 80)
  }

  func write(_ lines: [Line]) {
    write(lines, to: out)
  }

  /// A message: no data, and never broken into lines, so that it can be searched for.
  func writeError(_ lines: [Line]) {
    write(lines, to: error)
  }

  func writeError(_ kind: String, _ sentence: String) {
    var line = Line(kind + ": ", Style(color: kind == "Error" ? .red : .yellow, isBold: true))
    line.append(page.safe(RawPath.shown(sentence)))
    writeError([line])
  }

  /// Into a file, where colour has to be asked for.
  func write(_ lines: [Line], to file: Output) {
    write(lines, to: Stream(output: file, isTerminal: false))
  }

  private func page(columns: Int) -> Page {
    let isASCII = arguments.isASCII || !environment.isUTF8
    return Page(width: columns, glyphs: isASCII ? .ascii : .unicode)
  }

  private func write(_ lines: [Line], to stream: Stream) {
    let color = arguments.color.isOn(environment: environment, isTerminal: stream.isTerminal)
    for line in lines {
      stream.output.write(line.render(color: color, setsColumn: stream.isTerminal) + "\n")
    }
  }
}
