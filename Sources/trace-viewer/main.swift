import SystemLibrary
import TraceAnalysis

// Whoever started us may have had it ignored; `trace-viewer log | head` ends silently.
signal(SIGPIPE, SIG_DFL)
// That a file may not grow is an error that is told, and no reason to die.
signal(SIGXFSZ, SIG_IGN)
// `CommandLine.arguments` replaces what is no UTF-8, and such a file could not be opened.
let arguments = (1..<max(1, Int(CommandLine.argc))).compactMap { index in
  CommandLine.unsafeArgv[index].map { RawPath.make($0) }
}
exit(Program.run(arguments, .standard()).rawValue)
