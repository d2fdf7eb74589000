import Synchronization
import TerminalUI
package import TraceAnalysis
import TraceWords
package import ViewerConsole

/// The logs that were read, and the problems with their files.
package struct OpenedLogs {
  package let analysis: LogAnalysis
  /// The exit code if a file could not be read, or if `--strict` is on and a file is damaged;
  /// otherwise `nil`.
  package private(set) var failure: ExitCode?
  /// The reasons that files could not be read and, with `--strict`, the damage in files that were
  /// read.
  private(set) var errors: [LogError] = []

  /// A Boolean value that indicates whether there is anything to show.
  package var isUsable: Bool { !analysis.logs.isEmpty }

  /// Reads files, or standard input for `-`, and reports what is wrong with them.
  package init(_ paths: LogPaths, _ console: Console) {
    self.init(paths.files.map { ($0, nil) }, missing: paths.errors, console)
  }

  /// Reads files that messages and reports call by other names.
  ///
  /// - Parameter missing: The reasons that there aren't more files.
  package init(
    _ files: [(path: String, name: String?)], missing: [LogError] = [], _ console: Console
  ) {
    needsNoLog = false
    for error in missing {
      let code = OpenedLogs.report(error, console)
      errors.append(error)
      failure = failure ?? code
    }
    var logs = LogFiles(count: files.count)
    let named = files
    var files: [LogSource] = []
    for (path, name) in named {
      do throws(LogError) {
        files.append(try logs.open(path, name: name))
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

  /// The result if there is nothing to read, and nothing has to be read.
  package static let none = OpenedLogs()

  /// A Boolean value that indicates whether nothing had to be read.
  let needsNoLog: Bool

  private init() {
    analysis = .empty
    needsNoLog = true
  }

  /// Creates the result of reading nothing, and reports why there is nothing to read.
  package init(failing error: LogError, with code: ExitCode, _ console: Console) {
    needsNoLog = false
    analysis = .empty
    errors = [error]
    failure = code
    _ = OpenedLogs.report(error, console)
  }

  /// Returns an error for each kind of damage in each section of a file.
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

  /// Warns about each kind of damage with its first line number. Names only the first few files for
  /// each kind and sums up the rest. Returns whether there is any damage.
  static func warn(_ analysis: LogAnalysis, _ console: Console) -> Bool {
    let word = console.arguments.has(.strict) ? "Error" : "Warning"
    var sections: [Damage.Kind: Int] = [:]
    // The damage that did not get a line of its own.
    var others: [Damage.Kind: Int] = [:]
    for section in analysis.sections {
      for kind in Damage.Kind.allCases {
        guard let tally = section.damage[kind] else { continue }
        sections[kind, default: 0] += 1
        if sections[kind, default: 0] > maxWarnings {
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
      let files = CountText.make(all - maxWarnings, "more file")
      console.writeError(word, "\(files): \(LogSentences.damage(kind, count))")
    }
    return analysis.isDamaged
  }

  /// The maximum number of files for which damage of one kind is reported separately.
  private static let maxWarnings = 5

  /// Reports why a log could not be read, and returns the exit code.
  package static func report(_ error: LogError, _ console: Console) -> ExitCode {
    console.writeError("Error", "\(error.location): \(error.sentence)")
    switch error.code {
    case .cannotOpen, .cannotRead: return .cannotOpen
    default: return .notALog
    }
  }
}

/// The logs that were read to their ends, with an index of their events, and the problems with
/// their files.
package struct OpenedSnapshot {
  package private(set) var snapshot = LogSnapshot.empty
  /// The exit code if a file could not be read, or if `--strict` is on and a file is damaged;
  /// otherwise `nil`.
  package private(set) var failure: ExitCode?

  /// A Boolean value that indicates whether there is anything to show.
  package var isUsable: Bool { !snapshot.analysis.logs.isEmpty }

  package init(_ paths: LogPaths, _ console: Console) {
    for error in paths.errors {
      let code = OpenedLogs.report(error, console)
      failure = failure ?? code
    }
    guard !paths.files.isEmpty else { return }
    let log = GrowingLog(paths: paths.files, follows: false)
    do throws(LogError) {
      while let next = try log.advance() { snapshot = next }
    } catch {
      failure = OpenedLogs.report(error, console)
      return
    }
    MemoryOfReading.giveBack()
    for error in snapshot.errors {
      let code = OpenedLogs.report(error, console)
      failure = failure ?? code
    }
    let isDamaged = OpenedLogs.warn(snapshot.analysis, console)
    if isDamaged, console.arguments.has(.strict) { failure = failure ?? .notALog }
  }
}

/// A progress line on standard error while logs are read. It appears only on a terminal and only if
/// reading takes longer than half a second.
final class ReadingProgress: Sendable {
  private let read = Atomic(0)
  /// The tenth of a second since the start in which the line was last shown. The initial value
  /// suppresses the line for the first half second.
  private let shown = Atomic(5)
  private let total: Int
  private let descriptor: Int32
  private let start = ContinuousClock.now

  /// Creates the progress line, or returns `nil` if standard error is not a terminal.
  init?(_ files: [LogSource], _ console: Console) {
    guard console.error.isTerminal, let descriptor = console.error.output.descriptor else {
      return nil
    }
    total = files.reduce(0) { $0 + $1.size }
    self.descriptor = descriptor
  }

  /// Counts bytes that were read. Any thread may call this method.
  @Sendable
  func advance(_ bytes: Int) {
    let read = read.wrappingAdd(bytes, ordering: .relaxed).newValue
    let tenth = Int(start.duration(to: .now) / .milliseconds(100))
    let last = shown.load(ordering: .relaxed)
    // Only one of the threads shows the line.
    guard tenth > last,
      shown.compareExchange(expected: last, desired: tenth, ordering: .relaxed).exchanged
    else { return }
    Output.writeNow(
      "\r\u{1B}[KReading: \(read * 100 / max(1, total)) % of \(total >> 20) MB", to: descriptor)
  }

  /// Removes the line.
  func finish() {
    if shown.load(ordering: .relaxed) > 5 { Output.writeNow("\r\u{1B}[K", to: descriptor) }
  }
}
