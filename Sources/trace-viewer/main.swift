#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

// Whoever started us may have had it ignored; `trace-viewer log | head` ends silently.
signal(SIGPIPE, SIG_DFL)
exit(Program.run(Array(CommandLine.arguments.dropFirst()), .standard()).rawValue)
