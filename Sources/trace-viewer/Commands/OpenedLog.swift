internal import ReactiveTrace

/// A log that was read, and what it proves.
struct OpenedLog: ~Copyable {
  let file: LogSource
  let analysis: LogAnalysis
  let verdict: Verdict

  /// Reads a file, or standard input for `-`, and warns of lines that had to be skipped.
  init(_ path: String, _ console: Console) throws(LogError) {
    let file = path == "-" ? try LogSource.standardInput() : try LogSource(path: path)
    let analysis = try LogAnalysis.read(file)
    for kind in Damage.Kind.allCases where kind.skipsLine || kind == .secondLog {
      guard let tally = analysis.damage[kind] else { continue }
      console.writeError(
        "Warning",
        "\(file.name):\(tally.firstLine): \(LogSentences.damage(kind, tally.count))")
    }
    self.analysis = analysis
    verdict = Verdict(analysis)
    self.file = file
  }

  /// Says why a log could not be read.
  static func report(_ error: LogError, _ console: Console) -> ExitCode {
    let line = error.line.map { ":\($0)" } ?? ""
    console.writeError("Error", "\(error.file)\(line): \(error.sentence)")
    switch error.code {
    case .cannotOpen, .cannotRead: return .cannotOpen
    default: return .notALog
    }
  }
}
