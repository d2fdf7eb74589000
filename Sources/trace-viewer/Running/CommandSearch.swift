import SystemLibrary
import ViewerCommandLine
import ViewerConsole

/// The search for the program that a command names, by the rules of shells.
struct CommandSearch {
  /// The program that runs scripts without a first line that names one.
  static let shell = "/bin/sh"

  private let name: String
  /// The paths to try.
  let candidates: [String]

  /// Creates a search.
  ///
  /// - Parameter path: The value of `PATH`; `nil` if it is not set.
  init(_ name: String, path: String? = CommandSearch.path) {
    self.name = name
    if name.contains("/") {
      candidates = [name]
    } else if name.isEmpty {
      candidates = []
    } else {
      let folders = (path ?? "/bin:/usr/bin").split(
        separator: ":", omittingEmptySubsequences: false)
      // A folder without a name is the current one.
      candidates = folders.map { ($0.isEmpty ? "." : $0) + "/" + name }
    }
  }

  private static var path: String? { getenv("PATH").map { RawPath.make($0) } }

  /// Starts the first candidate that is a program.
  ///
  /// - Parameter start: Starts the program at a path, or lets the shell run the script there.
  ///   Returns the process, and 0, an error number, or the negated error number of the attempt to
  ///   trace the process.
  func start(
    _ start: (_ path: String, _ isScript: Bool) -> (process: pid_t, code: Int32)
  ) throws(RunFailure) -> pid_t {
    var failure: RunFailure?
    for candidate in candidates {
      var (process, code) = start(candidate, false)
      if code == ENOEXEC {
        guard !CommandSearch.isBinary(candidate) else {
          throw cannotRun("it is not a program for this system")
        }
        // The name must not look like an option to the shell.
        (process, code) = start(candidate.hasPrefix("-") ? "./" + candidate : candidate, true)
      }
      switch code {
      case 0: return process
      case ENOENT, ENOTDIR, EACCES, ESTALE, ENODEV, ETIMEDOUT, ENAMETOOLONG, ELOOP:
        // Another folder may have the program. This failure matters only if none has.
        if failure == nil { failure = failureOfFile(candidate, code) }
      case ..<0: throw CommandTracing.failure(of: name, -code)
      default: throw cannotRun(SystemError.reason(code))
      }
    }
    throw failure ?? notFound
  }

  /// Returns why a file can't be run, or `nil` if the command counts as not found.
  private func failureOfFile(_ path: String, _ code: Int32) -> RunFailure? {
    var status = stat()
    guard RawPath.with(path, { stat($0, &status) }) == 0 else {
      return name.contains("/") && code != ENOENT ? cannotRun(SystemError.reason(code)) : nil
    }
    if status.st_mode & S_IFMT == S_IFDIR {
      return name.contains("/") ? cannotRun("it is a folder") : nil
    }
    return code == ENOENT
      ? cannotRun("the program that its first line names, or that loads it, does not exist")
      : cannotRun("\(SystemError.reason(code)). 'chmod +x' makes a file executable")
  }

  private func cannotRun(_ reason: String) -> RunFailure {
    RunFailure(.cannotRun, "\(ShellText.quoted(name)) cannot be run: \(reason).")
  }

  private var notFound: RunFailure {
    let word = ShellText.quoted(name)
    return RunFailure(
      .noCommand,
      name.contains("/")
        ? "\(word) does not exist. Check the path."
        : """
        The command \(word) was not found. Check the name and PATH, or use the path of a program.
        """
    )
  }

  /// Reports whether a file isn't text that a shell could run.
  private static func isBinary(_ path: String) -> Bool {
    let descriptor = RawPath.with(path) { open($0, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) }
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = systemRead(descriptor, &bytes, bytes.count)
    // Like bash, which looks at the first line only: a script may have data at its end.
    return bytes.prefix(max(0, count)).prefix { $0 != UInt8(ascii: "\n") }.contains(0)
  }
}
