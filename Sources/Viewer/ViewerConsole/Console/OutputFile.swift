import SystemLibrary
package import TerminalUI
import TraceFormat

/// A file that a command writes. `-` is standard output.
package enum OutputFile {
  /// Writes a whole file. On failure, reports the reason and returns the exit code.
  package static func write(_ bytes: [UInt8], to path: String, _ console: Console) -> ExitCode? {
    stream(to: path, console) { $0.write(bytes) }
  }

  package static func write(_ text: String, to path: String, _ console: Console) -> ExitCode? {
    stream(to: path, console) { $0.write(text) }
  }

  /// Writes a file that is too long for memory. `body` writes it piece by piece. On failure,
  /// reports the reason and returns the exit code.
  package static func stream(
    to path: String, _ console: Console, _ body: (Output) -> Void
  ) -> ExitCode? {
    // The program checks for errors of standard output when it ends.
    if path == "-" {
      body(console.out.output)
      return nil
    }
    return write(to: path, body).map { report($0, path, console) }
  }

  /// Writes a file without printing failures. Returns the `errno` of a failure.
  package static func write(to path: String, _ body: (Output) -> Void) -> Int32? {
    let descriptor = RawPath.with(path) {
      open($0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0o666)
    }
    guard descriptor >= 0 else { return errno }
    return write(to: descriptor, body)
  }

  /// Writes a file under a temporary name and renames it when it is complete. If writing fails, the
  /// old file is kept. A symbolic link stays a link.
  package static func replace(_ path: String, with text: String, _ console: Console) -> ExitCode? {
    let target = RealPath.of(path) ?? path
    let part = target + ".part"
    // The temporary name may be a symbolic link to another file.
    _ = RawPath.with(part) { unlink($0) }
    var before = stat()
    let isThere = RawPath.with(target) { stat($0, &before) } == 0
    var code = write(to: part) { output in
      if isThere, let descriptor = output.descriptor { fchmod(descriptor, before.st_mode & 0o7777) }
      output.write(text)
    }
    if code == nil, RawPath.with(part, { part in RawPath.with(target) { rename(part, $0) } }) != 0 {
      code = errno
    }
    guard let code else { return nil }
    _ = RawPath.with(part) { unlink($0) }
    return report(code, path, console)
  }

  /// Writes to a descriptor and closes it. Returns the `errno` of a failure.
  package static func write(to descriptor: Int32, _ body: (Output) -> Void) -> Int32? {
    let output = Output(descriptor: descriptor)
    body(output)
    output.flush()
    // Some file systems report a lack of space only at the end.
    let closing = close(descriptor) == 0 ? nil : errno
    return output.failure ?? closing
  }

  /// Reports whether an output and an input are the same file under any names, so that writing
  /// would destroy the input. `-` is standard output as `path` and standard input as `input`. Both
  /// may be files.
  package static func isSame(_ path: String, as input: String) -> Bool {
    guard let to = status(path, STDOUT_FILENO), let from = status(input, STDIN_FILENO) else {
      return false
    }
    // A terminal or a device can safely be both the input and the output.
    let isFile = to.st_mode & S_IFMT == S_IFREG
    return isFile && to.st_dev == from.st_dev && to.st_ino == from.st_ino
  }

  /// Reports whether both paths name the same file in the same folder. The file need not exist yet.
  package static func isSameName(_ path: String, as other: String) -> Bool {
    let (first, second) = (RawPath.parts(path), RawPath.parts(other))
    guard first.name == second.name, let folder = status(first.folder, -1),
      let otherFolder = status(second.folder, -1)
    else { return false }
    return folder.st_dev == otherFolder.st_dev && folder.st_ino == otherFolder.st_ino
  }

  private static func status(_ path: String, _ descriptor: Int32) -> stat? {
    var status = stat()
    let code =
      path == "-"
      ? fstat(descriptor, &status) : RawPath.with(path) { stat($0, &status) }
    return code == 0 ? status : nil
  }

  private static func report(_ code: Int32, _ path: String, _ console: Console) -> ExitCode {
    console.writeError(
      "Error",
      "\(RawPath.shown(path)): The file cannot be written: \(String(cString: strerror(code))).")
    return .cannotWrite
  }
}
