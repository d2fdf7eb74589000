import SystemLibrary
import TraceAnalysis
import ViewerConsole

// The parent process may have ignored the signal. `trace-viewer log | head` must end silently.
signal(SIGPIPE, SIG_DFL)
// If the signal is ignored, the system doesn't keep how a child ended.
signal(SIGCHLD, SIG_DFL)
// Exceeding the file size limit is reported as an error and must not end the process.
signal(SIGXFSZ, SIG_IGN)
// `CommandLine.arguments` replaces invalid UTF-8, and a file with such a name could not be opened.
let arguments = (1..<max(1, Int(CommandLine.argc))).compactMap { index in
  CommandLine.unsafeArgv[index].map { RawPath.make($0) }
}
exit(Program.run(arguments, .standard()).rawValue)
