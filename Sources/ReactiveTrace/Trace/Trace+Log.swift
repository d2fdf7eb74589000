extension Trace {
  /// Starts a log at `path`, in which `%p` stands for the process ID and `%t` for the random ID of
  /// the log.
  ///
  /// If another running process writes to the file, the file isn't changed and the log is written
  /// to `path.2`, `path.3`, ... Otherwise, an existing file is replaced. The log is mapped into
  /// memory, so the file must not be truncated while it is written. If the path is the program's
  /// own standard output or standard error and that is a file, the log is appended to it.
  ///
  /// Without `options`, the environment variables determine the options, as when `REACTIVE_TRACE`
  /// starts the log. A set-user-ID program, which runs with the rights of a user other than the one
  /// who started it, ignores these variables.
  ///
  /// If `REACTIVE_TRACE` has started a log, that log continues with its own options, and this
  /// function has no effect. The first such call prints a warning on standard error. So
  /// `trace-viewer run -- swift run App` works for programs that start a log themselves.
  ///
  /// Throws an error if the file can't be written, or if this function or `start(to:options:)` has
  /// started a log that is still being written.
  public static func start(
    _ path: String, options: Options? = nil
  ) throws(TraceError) {
    try TracingState.start(path, [], options ?? EnvironmentSettings.options)
  }

  /// Writes the last line, truncates the file to its length and closes it. Has no effect if a log
  /// isn't being written.
  ///
  /// Sinks first receive their waiting records on this thread. If a sink is busy with a record on
  /// another thread, this function waits for it for at most 0.2 seconds. After that time, the
  /// remaining records aren't delivered.
  ///
  /// Subscriptions that were traced so far continue without tracing. A process that exits stops its
  /// log automatically. If another thread is already stopping the log, this function waits for it
  /// for at most 0.2 seconds.
  public static func stop() {
    TracingState.stop()
  }

  /// A Boolean value that indicates whether a log is being written.
  public static var isOn: Bool { TracingState.log != nil }

  /// The path of the file that is actually being written, or nil if there isn't one. It is also nil
  /// if the log is written to the program's standard output or standard error.
  public static var path: String? { TracingState.log?.path }
}
