import SystemLibrary
import TraceFormat

/// A reason why a log can't be read at all: a code, a location, and a sentence that says what to
/// do.
package struct LogError: Error, Equatable, Sendable {
  /// The kind of error; more kinds may be added.
  package struct Code: Equatable, Sendable {
    private let name: String

    package static let cannotOpen = Code(name: "cannot-open")
    package static let cannotRead = Code(name: "cannot-read")
    package static let empty = Code(name: "empty")
    static let noTraceLog = Code(name: "no-trace-log")
    static let newerVersion = Code(name: "newer-version")
    static let wrongFormat = Code(name: "wrong-format")
    /// Only part of the log could be read.
    package static let damaged = Code(name: "damaged")
  }

  package let code: Code
  /// The name of the log, as the caller that opened it named it.
  package let file: String
  package let line: Int?
  package let sentence: String

  private init(_ code: Code, _ file: String, line: Int? = nil, _ sentence: String) {
    self.code = code
    self.file = RawPath.shown(file)
    self.line = line
    self.sentence = sentence
  }

  package var isDamage: Bool { code == .damaged }

  /// The file, with the line if it is known.
  package var location: String {
    line.map { "\(file):\($0)" } ?? file
  }

  /// Returns the error for a damaged log.
  ///
  /// - Parameter reason: The problem with the lines.
  package static func damaged(_ file: String, line: Int, _ reason: String) -> LogError {
    LogError(.damaged, file, line: line, "The log is damaged: \(reason).")
  }

  static func noSuchFile(_ file: String) -> LogError {
    LogError(.cannotOpen, file, "There is no such file. Check the path.")
  }

  static func noPermission(_ file: String) -> LogError {
    LogError(.cannotOpen, file, "You do not have permission to read this file.")
  }

  static func directory(_ file: String) -> LogError {
    LogError(.cannotOpen, file, "This is a directory. Name a log file in it.")
  }

  package static func noLogs(inFolder folder: String) -> LogError {
    LogError(
      .cannotOpen, folder,
      """
      This folder doesn't have a log directly in it. Logs have names like run.jsonl or \
      run.jsonl.gz.
      """)
  }

  package static func unreadableFolder(_ folder: String, reason: String) -> LogError {
    LogError(.cannotOpen, folder, "The folder cannot be read: \(reason).")
  }

  static func cannotOpen(_ file: String, reason: String) -> LogError {
    LogError(.cannotOpen, file, "The file cannot be opened: \(reason).")
  }

  static func cannotRead(_ file: String, reason: String) -> LogError {
    LogError(.cannotRead, file, "The file cannot be read to its end: \(reason).")
  }

  static func cannotFollow(_ file: String) -> LogError {
    LogError(
      .cannotOpen, file,
      "A pipe cannot be followed. Name the file that the recorder writes.")
  }

  static func cannotSpool(_ file: String, folder: String, reason: String) -> LogError {
    LogError(
      .cannotRead, file,
      "Compressed and piped logs need a temporary file, which cannot be created in \(folder):"
        + " \(reason). Set TMPDIR to a folder with free space.")
  }

  static func noRoom(_ file: String, bytes: Int) -> LogError {
    LogError(
      .cannotRead, file,
      "Compressed and piped logs need a temporary file. It has \(bytes >> 20) MiB now, and its file"
        + " system is nearly full. Set TMPDIR to a folder with free space.")
  }

  static func noDecompressor(_ file: String, program: String) -> LogError {
    LogError(
      .cannotRead, file,
      "The log is compressed, and the program \(program), which decompresses it, is not in a folder"
        + " of PATH. Install \(program).")
  }

  static func cannotUnpack(_ file: String, program: String, reason: String) -> LogError {
    LogError(
      .cannotRead, file,
      "The compressed log cannot be decompressed: \(reason). Check it with \(program) -t.")
  }

  static func empty(_ file: String) -> LogError {
    LogError(.empty, file, "The file is empty. Check that tracing was on when the program ran.")
  }

  static func withoutSize(_ file: String) -> LogError {
    LogError(
      .noTraceLog, file,
      """
      This is not a trace log, but a file that the system makes when it is read. Name a file that \
      a traced program wrote.
      """)
  }

  /// Returns the error for a command if none of its processes wrote a log.
  ///
  /// - Parameter searchesLeaks: Whether each process with a Swift program was to be searched.
  ///
  /// - Parameter failure: How the command failed, as a clause; nil if it succeeded. A program that
  ///   crashed early may have had something to trace, so nothing is known about it.
  package static func noLog(
    of command: String, failure: String? = nil, searchesLeaks: Bool = false
  ) -> LogError {
    guard !searchesLeaks else {
      return LogError(
        .empty, command,
        "No process of this command ended by itself with a Swift program, so there is nothing to"
          + " check. The programs of a toolchain don't count, unless you use --all.")
    }
    if let failure {
      return LogError(
        .empty, command,
        "No process of this command wrote a log before \(failure), so nothing is known about its"
          + " subscriptions. It may have failed before the first record of a program that links"
          + " ReactiveTrace. Fix that first.")
    }
    return LogError(
      .empty, command,
      "No process of this command wrote a log, so there is nothing to check. Programs that link"
        + " ReactiveTrace do, unless they are built without it or start with another environment.")
  }

  static func noTraceLog(_ file: String) -> LogError {
    LogError(
      .noTraceLog, file,
      """
      This is not a trace log, because none of its lines is a record. Name a file that a traced \
      program wrote.
      """
    )
  }

  static func newerVersion(_ file: String, line: Int, _ header: TraceHeader) -> LogError {
    let version = header.oddVersion ?? "\(header.version)"
    let isNumber = version.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    let sentence =
      isNumber
      ? "The log has format version \(version), but this program reads only versions up to"
        + " \(LogFormat.version). Use a newer trace-viewer."
      : "The log has format version \(version), which is not a whole number. This program reads"
        + " versions up to \(LogFormat.version). Check which program wrote the log."
    return LogError(.newerVersion, file, line: line, sentence)
  }

  /// Returns the error for a file whose content changed after it was read.
  package static func changed(_ file: String) -> LogError {
    LogError(
      .cannotRead, file, "The file was cut short or rewritten after it was read. Open it again.")
  }

  static func foreign(_ file: String, _ format: FileFormat) -> LogError {
    LogError(.wrongFormat, file, format.sentence)
  }
}
