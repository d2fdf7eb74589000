import SystemLibrary

/// An error that explains why a log can't be written. It contains the kind of reason, the file, and
/// a sentence that says what to do.
public struct TraceError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The kind of reason. Later versions can add more kinds.
  public struct Code: Sendable, Hashable {
    private let name: String

    private init(_ name: String) { self.name = name }

    /// The file can't be written: for example, the folder or the permission is missing, or the disk
    /// is full.
    public static let cannotWrite = Code("cannotWrite")
    /// The path is a folder, a pipe or a device. A log needs a regular file because it is mapped
    /// into memory.
    public static let notARegularFile = Code("notARegularFile")
    /// This process already writes a log.
    public static let alreadyWriting = Code("alreadyWriting")
  }

  public let code: Code
  /// The error number of the system, or 0.
  let systemError: Int32
  /// The path of the file, with `%p` and `%t` replaced.
  public let path: String
  /// A sentence that says what is wrong and what to do.
  public let message: String

  public var description: String { message }

  static func cannotWrite(_ path: String, _ error: Int32) -> TraceError {
    TraceError(
      code: .cannotWrite, systemError: error, path: path,
      message: "cannot write the log at '\(path)': \(SystemError.reason(error)). "
        + "\(advice(error)) or set REACTIVE_TRACE to a writable path")
  }

  static func notARegularFile(_ path: String) -> TraceError {
    TraceError(
      code: .notARegularFile, systemError: 0, path: path,
      message: "cannot write the log at '\(path)': it is not a regular file. "
        + "Set REACTIVE_TRACE to the path of a file, which is created if it does not exist")
  }

  static func alreadyWriting(_ path: String, current: String?) -> TraceError {
    TraceError(
      code: .alreadyWriting, systemError: 0, path: path,
      message: "cannot write the log at '\(path)': this process writes "
        + "'\(current ?? "another log")' already. Call Trace.stop() first")
  }

  /// Returns advice for the user about a system error, without the final period.
  private static func advice(_ error: Int32) -> String {
    switch error {
    case ENOENT, ENOTDIR: "Create the folder"
    case EACCES, EPERM, EROFS: "Allow writing there"
    case ENOSPC, EDQUOT, EFBIG: "Make room"
    case EISDIR: "Name a file in that folder"
    case EMFILE, ENFILE: "Close files that are not needed"
    default: "Check the path"
    }
  }
}
