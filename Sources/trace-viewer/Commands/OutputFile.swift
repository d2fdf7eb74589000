#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A file that a command writes, or standard output for `-`; every write is checked.
enum OutputFile {
  /// Writes a whole file anew; returns what to exit with where that fails, and says why.
  static func write(_ bytes: [UInt8], to path: String, _ console: Console) -> ExitCode? {
    write(to: path, console) { $0.write(bytes) }
  }

  static func write(_ text: String, to path: String, _ console: Console) -> ExitCode? {
    write(to: path, console) { $0.write(text) }
  }

  /// The same, piece by piece.
  static func write(
    to path: String, _ console: Console, _ body: (Output) -> Void
  ) -> ExitCode? {
    guard path != "-" else {
      // Whether that works is seen at the end of the program.
      body(console.out.output)
      return nil
    }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { return report(errno, path, console) }
    let output = Output(descriptor: descriptor)
    body(output)
    output.flush()
    // Some file systems say only now that there is no room.
    let closing = close(descriptor) == 0 ? nil : errno
    guard let failure = output.failure ?? closing else { return nil }
    return report(failure, path, console)
  }

  /// Whether a path leads to one of some files, by whatever name.
  static func leads(_ path: String, toOneOf others: [String]) -> Bool {
    guard path != "-" else { return false }
    var file = stat()
    guard stat(path, &file) == 0, file.st_mode & S_IFMT == S_IFREG else { return false }
    return others.contains { other in
      var known = stat()
      return other != "-" && stat(other, &known) == 0 && known.st_dev == file.st_dev
        && known.st_ino == file.st_ino
    }
  }

  private static func report(_ failure: Int32, _ path: String, _ console: Console) -> ExitCode {
    let reason = String(cString: strerror(failure))
    console.writeError("Error", "\(path): The file cannot be written: \(reason).")
    return .cannotWrite
  }
}
