import SystemLibrary
package import TerminalUI

/// The two output streams of the program and their properties.
package struct Console {
  package struct Stream {
    package let output: Output
    package let isTerminal: Bool
  }

  package let out: Stream
  package let error: Stream
  package let environment: Environment
  /// The width of the terminal of standard output in columns, or `nil` without a terminal.
  let terminalColumns: Int?
  /// Reports whether a file exists, to distinguish a log from a mistyped command.
  package let fileExists: (String) -> Bool
  /// The absolute path in which to look for settings and sources, or an empty string if it is not
  /// known.
  package var directory = WorkingDirectory.path
  package var arguments = ParsedArguments()
  /// A Boolean value that indicates whether standard input is a terminal, which can't supply a
  /// log.
  package var inputIsTerminal = false
  /// Returns the descriptors for reading keys and for drawing, or `nil` without a terminal for
  /// both.
  package var keyboard: () -> (input: Int32, output: Int32)? = { nil }

  /// Returns the console with the output streams of this process.
  package static func standard() -> Console {
    var console = Console(
      out: Stream(
        output: Output(descriptor: STDOUT_FILENO), isTerminal: isatty(STDOUT_FILENO) == 1),
      error: Stream(
        output: Output(descriptor: STDERR_FILENO), isTerminal: isatty(STDERR_FILENO) == 1),
      environment: .current(), terminalColumns: TerminalSize.columns(of: STDOUT_FILENO),
      fileExists: { path in RawPath.with(path) { access($0, F_OK) } == 0 },
      keyboard: {
        isatty(STDOUT_FILENO) == 1
          ? TerminalSession.inputDescriptor().map { ($0, STDOUT_FILENO) } : nil
      })
    console.inputIsTerminal = isatty(STDIN_FILENO) == 1
    return console
  }

  /// Returns a console for a command that another one runs, with its own arguments. Its outputs
  /// stay in memory, and it can't find out on which service it runs.
  package func inMemory(_ arguments: ParsedArguments) -> Console {
    let stream = { Stream(output: Output(descriptor: nil, isTerminal: false), isTerminal: false) }
    return Console(
      out: stream(), error: stream(), environment: Environment(["LANG": "C.UTF-8"]),
      terminalColumns: nil, fileExists: fileExists, directory: directory, arguments: arguments)
  }

  /// The page for reports.
  package var page: Page {
    page(columns: TerminalSize.columns(terminal: terminalColumns, environment: environment))
  }

  /// The page for help and messages: 80 columns if the width is not known.
  package var helpPage: Page {
    let isKnown = terminalColumns != nil || environment["COLUMNS"] != nil
    return isKnown ? page : page(columns: 80)
  }

  package func write(_ lines: [Line]) {
    write(lines, to: out)
  }

  /// Writes a message to standard error. A message is never broken into lines, so that it can be
  /// searched for.
  package func writeError(_ lines: [Line]) {
    write(lines, to: error)
  }

  package func writeError(_ kind: String, _ sentence: String) {
    var line = Line(kind + ": ", Style(color: kind == "Error" ? .red : .yellow, isBold: true))
    line.append(page.safe(RawPath.shown(sentence)))
    writeError([line])
  }

  /// Writes lines to a file, which has color only on request.
  package func write(_ lines: [Line], to file: Output) {
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
