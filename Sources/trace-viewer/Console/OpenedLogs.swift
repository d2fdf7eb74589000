import TerminalUI
import TraceAnalysis
import TraceFormat

/// Logs that were read, and what has to be said about their files.
struct OpenedLogs {
  let analysis: LogAnalysis
  /// What to exit with because a file could not be read, or is damaged and must not be; nil where all is well.
  private(set) var failure: ExitCode?
  /// Why files could not be read, and with `--strict` what is damaged in those that were.
  private(set) var errors: [LogError] = []

  /// Whether there is anything to show.
  var isUsable: Bool { !analysis.logs.isEmpty }

  /// Reads files, or standard input for `-`, and says what is wrong with them.
  init(_ paths: [String], _ console: Console) {
    var files: [LogSource] = []
    var logs = LogFiles(count: paths.count)
    for path in paths {
      do throws(LogError) {
        files.append(try logs.open(path))
      } catch {
        let code = OpenedLogs.report(error, console)
        self.errors.append(error)
        failure = failure ?? code
      }
    }
    do throws(LogError) {
      let progress = ReadingProgress(files, console)
      let (analysis, errors) = try LogAnalysis.read(files, progress: progress?.advance)
      progress?.finish()
      for error in errors {
        let code = OpenedLogs.report(error, console)
        self.errors.append(error)
        failure = failure ?? code
      }
      self.analysis = analysis
    } catch {
      analysis = .empty
      self.errors.append(error)
      failure = failure ?? OpenedLogs.report(error, console)
    }
    let isDamaged = OpenedLogs.warn(analysis, console)
    if isDamaged, console.arguments.has(.strict) {
      failure = failure ?? .notALog
      errors += OpenedLogs.damage(analysis)
    }
  }

  /// An error for each kind of damage in each stretch of a file.
  private static func damage(_ analysis: LogAnalysis) -> [LogError] {
    analysis.sections.flatMap { section in
      Damage.Kind.allCases.compactMap { kind -> LogError? in
        section.damage[kind].map {
          .damaged(
            analysis.files[section.file].name, line: $0.firstLine,
            LogSentences.damage(kind, $0.count))
        }
      }
    }
  }

  /// Warns of every kind of damage, with the first line of it, in some files, and of all others together; returns whether there was any.
  static func warn(_ analysis: LogAnalysis, _ console: Console) -> Bool {
    let word = console.arguments.has(.strict) ? "Error" : "Warning"
    var sections: [Damage.Kind: Int] = [:]
    // What no line of its own was printed for.
    var others: [Damage.Kind: Int] = [:]
    for section in analysis.sections {
      for kind in Damage.Kind.allCases {
        guard let tally = section.damage[kind] else { continue }
        sections[kind, default: 0] += 1
        if sections[kind, default: 0] > mostWarnings {
          others[kind, default: 0] += tally.count
          continue
        }
        let name = analysis.files[section.file].name
        console.writeError(
          word, "\(name):\(tally.firstLine): \(LogSentences.damage(kind, tally.count))")
      }
    }
    for kind in Damage.Kind.allCases {
      guard let count = others[kind], let all = sections[kind] else { continue }
      let files = CountText.make(all - mostWarnings, "more file")
      console.writeError(word, "\(files): \(LogSentences.damage(kind, count))")
    }
    return analysis.isDamaged
  }

  /// Damage of one kind that is told of file by file.
  private static let mostWarnings = 5

  /// Says why a log could not be read.
  static func report(_ error: LogError, _ console: Console) -> ExitCode {
    console.writeError("Error", "\(error.place): \(error.sentence)")
    switch error.code {
    case .cannotOpen, .cannotRead: return .cannotOpen
    default: return .notALog
    }
  }
}
