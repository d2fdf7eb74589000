/// Starts and stops the log of this process.
///
/// Most programs need none of this: with `REACTIVE_TRACE=log.jsonl` in the environment the log starts by itself at the
/// first traced subscription, and ends when the process exits.
public enum Trace {
  /// Starts a log at `path`, in which `%p` stands for the process id and `%t` for the random id of the log.
  ///
  /// A file that another living process writes is left alone: the log goes to `path.2`, `path.3`, ... A file that
  /// nobody writes is replaced. The log is mapped into memory, so nobody may cut it short while it is written. To the program's
  /// own standard output or error, where that is a file, the log is appended.
  ///
  /// Without options, the variables of the environment choose, as they do where `REACTIVE_TRACE` starts the log. A program that
  /// runs with the rights of another user than the one who started it does not look at them.
  ///
  /// Throws where the file cannot be written, and where this process writes a log already.
  public static func start(
    _ path: String, options: Options? = nil
  ) throws(TraceError) {
    try TracingState.start(path, [], options ?? EnvironmentSettings.options)
  }

  /// Writes the last line, cuts the file to its length and closes it. Does nothing where no log is written.
  ///
  /// Subscriptions that were traced until now run on untraced. A process that exits stops its log by itself. Where another thread
  /// is stopping the log, that is waited for, for 0.2 seconds at most.
  public static func stop() {
    TracingState.stop()
  }

  /// Whether a log is being written.
  public static var isOn: Bool { TracingState.log != nil }

  /// The file that is really being written, or nil; also nil where it is the program's standard output or error.
  public static var path: String? { TracingState.log?.path }
}
