/// Why a log cannot be written: what kind of reason, which file, and a sentence that says what to do.
public struct TraceError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The kind of reason; later versions may know more.
  public struct Code: Sendable, Hashable {
    private let name: String

    private init(_ name: String) { self.name = name }

    /// The folder is missing, the permission is, the disk is full, ...
    public static let cannotWrite = Code("cannotWrite")
    /// A folder, a pipe or a device: a log needs a regular file, because it is mapped into memory.
    public static let notARegularFile = Code("notARegularFile")
    /// This process writes a log already.
    public static let alreadyWriting = Code("alreadyWriting")
  }

  public let code: Code
  /// The error number of the system, or 0.
  let systemError: Int32
  /// The file that it is about, `%p` and `%t` replaced.
  public let path: String
  /// What is wrong and what to do.
  public let sentence: String

  public var description: String { sentence }

  static func cannotWrite(_ path: String, _ error: Int32) -> TraceError {
    TraceError(
      code: .cannotWrite, systemError: error, path: path,
      sentence: "cannot write the log at '\(path)': \(SystemError.reason(error)). "
        + "\(advice(error)) or set REACTIVE_TRACE to a path that can be written")
  }

  static func notARegularFile(_ path: String) -> TraceError {
    TraceError(
      code: .notARegularFile, systemError: 0, path: path,
      sentence: "cannot write the log at '\(path)': it is not a regular file. "
        + "Set REACTIVE_TRACE to the path of a file, which is made where there is none")
  }

  static func alreadyWriting(_ path: String, beside current: String?) -> TraceError {
    TraceError(
      code: .alreadyWriting, systemError: 0, path: path,
      sentence: "cannot write the log at '\(path)': this process writes "
        + "'\(current ?? "another log")' already. Call Trace.stop() first")
  }
}
