#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A file that a command writes; `-` is standard output.
enum OutputFile {
  /// Writes all of a file; returns what to exit with where that fails, and says why.
  static func write(_ bytes: [UInt8], to path: String, _ console: Console) -> ExitCode? {
    stream(to: path, console) { $0.write(bytes) }
  }

  static func write(_ text: String, to path: String, _ console: Console) -> ExitCode? {
    stream(to: path, console) { $0.write(text) }
  }

  /// The same for what is too long to be held in memory; `body` writes it piece by piece.
  static func stream(
    to path: String, _ console: Console, _ body: (Output) -> Void
  ) -> ExitCode? {
    // Whether standard output could be written is found out when the program ends.
    if path == "-" {
      body(console.out.output)
      return nil
    }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0o666)
    guard descriptor >= 0 else { return report(errno, path, console) }
    let output = Output(descriptor: descriptor)
    body(output)
    output.flush()
    // Some file systems notice only at the end that there is no room.
    let closing = close(descriptor) == 0 ? nil : errno
    return (output.failure ?? closing).map { report($0, path, console) }
  }

  /// Whether both are the same file, by whatever name: writing to one would destroy the other.
  static func isSame(_ path: String, as other: String) -> Bool {
    var first = stat()
    var second = stat()
    guard path != "-", other != "-", stat(path, &first) == 0, stat(other, &second) == 0 else {
      return false
    }
    let isFile = first.st_mode & S_IFMT == S_IFREG
    return isFile && first.st_dev == second.st_dev && first.st_ino == second.st_ino
  }

  private static func report(_ code: Int32, _ path: String, _ console: Console) -> ExitCode {
    console.writeError(
      "Error", "\(path): The file cannot be written: \(String(cString: strerror(code))).")
    return .cannotWrite
  }
}
