internal import ReactiveTrace

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// `trace-viewer repair LOG -o OUT`: a damaged log made whole, as far as it can be.
enum RepairCommand {
  static func run(_ console: Console) throws(UsageError) -> ExitCode {
    guard let path = console.arguments.operands.first, let target = console.arguments[.output]
    else { throw .missingOperand(.repair) }
    guard !isSameFile(path, target) else { throw .sameFile(target, .repair) }
    do throws(LogError) {
      let file = path == "-" ? try LogSource.standardInput() : try LogSource(path: path)
      // A log that cannot be read must not cost what the output holds.
      let (analysis, errors) = try LogAnalysis.read([file])
      if let error = errors.first { throw error }
      return try repair(file, analysis, to: target, console)
    } catch {
      return OpenedLogs.report(error, console)
    }
  }

  private static func repair(
    _ file: LogSource, _ analysis: LogAnalysis, to target: String, _ console: Console
  ) throws(LogError) -> ExitCode {
    if target == "-" {
      return try repair(file, analysis, to: console.out.output, console)
    }
    let descriptor = open(target, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0o666)
    guard descriptor >= 0 else { return cannotWrite(target, errno, console) }
    let output = Output(descriptor: descriptor)
    var code: ExitCode
    do throws(LogError) {
      code = try repair(file, analysis, to: output, console)
    } catch {
      close(descriptor)
      throw error
    }
    output.flush()
    // Some file systems say only now that there was no room.
    let closed = close(descriptor)
    if let failure = output.failure ?? (closed == 0 ? nil : errno) {
      code = cannotWrite(target, failure, console)
    }
    return code
  }

  private static func repair(
    _ file: LogSource, _ analysis: LogAnalysis, to output: Output, _ console: Console
  ) throws(LogError) -> ExitCode {
    var repair = LogRepair(file, analysis, to: output)
    try repair.run(LogLines(file))
    output.flush()
    guard output.failure == nil else { return .cannotWrite }
    for (line, text) in RepairView(tally: repair.tally).sentences {
      console.writeError("Repaired", "\(file.name):\(line): \(text)")
    }
    let records = "\(CountText.make(repair.records, "record")) written"
    console.writeError([
      Line(repair.tally.isEmpty ? "Nothing to repair; \(records)." : "\(records).")
    ])
    return .clean
  }

  private static func cannotWrite(_ target: String, _ code: Int32, _ console: Console) -> ExitCode {
    let reason = String(cString: strerror(code))
    console.writeError("Error", "\(target): The new log cannot be written: \(reason).")
    return .cannotWrite
  }

  /// Whether both are one file, by whatever names.
  private static func isSameFile(_ input: String, _ output: String) -> Bool {
    guard let from = status(input, STDIN_FILENO), let to = status(output, STDOUT_FILENO) else {
      return false
    }
    // A terminal or a device may well be both.
    guard from.st_mode & S_IFMT == S_IFREG else { return false }
    return from.st_dev == to.st_dev && from.st_ino == to.st_ino
  }

  private static func status(_ path: String, _ descriptor: Int32) -> stat? {
    var status = stat()
    let code = path == "-" ? fstat(descriptor, &status) : stat(path, &status)
    return code == 0 ? status : nil
  }
}
