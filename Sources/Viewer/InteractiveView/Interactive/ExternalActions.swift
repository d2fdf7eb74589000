import Dispatch
import SystemLibrary
package import TerminalUI
package import TraceAnalysis
import TraceFormat
package import ViewerConsole

/// The actions that involve other programs: opening sources in an editor and exporting events to
/// files.
package final class ExternalActions: Sendable {
  /// Writes the subscriptions of an excerpt, with their events in a time range and the findings
  /// about them, in a format.
  package typealias Exporting =
    @Sendable (ExportFormat, LogExcerpt, TimeRange, Verdict, Output) throws(LogError) -> Void

  /// The directory below which to look for sources.
  let directory: String
  private let environment: Environment
  private let inputs: [String]
  private let exporting: Exporting
  private let queue = DispatchQueue(label: "trace-viewer.export")
  private let sourceQueue = DispatchQueue(label: "trace-viewer.sources", qos: .utility)
  /// The file that is being written.
  private let part = BlockingMutex<String?>(nil)

  /// Creates the actions.
  ///
  /// - Parameters:
  ///   - inputs: The logs, which no export may overwrite.
  ///   - exporting: The closure that writes an export.
  package init(
    _ environment: Environment, directory: String, inputs: [String], exporting: @escaping Exporting
  ) {
    self.environment = environment
    self.directory = directory
    self.inputs = inputs
    self.exporting = exporting
  }

  /// The result of looking for a source file of a log.
  enum SourceFile: Equatable {
    case found(path: String)
    /// Several files have its name. Their paths start at the directory of the search.
    case ambiguous([String])
    case missing
  }

  /// Looks for a source file of a log.
  func sourceFile(_ file: String) -> SourceFile {
    let exists: (String) -> Bool = { access($0, F_OK) == 0 }
    if file.hasPrefix("/"), let whole = path(belowDirectory: file) { return .found(path: whole) }
    let locator = SourceLocator([file], in: directory, exists: exists)
    if let path = locator.absolutePath(ofSource: file) { return .found(path: path) }
    let candidates = locator.candidates(ofSource: file)
    return candidates.isEmpty ? .missing : .ambiguous(candidates)
  }

  /// Returns the path of a file that a log names by its absolute path, if it is below the
  /// directory. A log may come from anybody and name any file.
  private func path(belowDirectory file: String) -> String? {
    guard let root = RealPath.of(directory), let whole = RealPath.of(file) else { return nil }
    var status = stat()
    guard whole.hasPrefix(root.hasSuffix("/") ? root : root + "/"),
      RawPath.with(whole, { stat($0, &status) }) == 0,
      status.st_mode & S_IFMT == S_IFREG
    else { return nil }
    return whole
  }

  /// Looks for source files of a log, and posts the paths of those that were found.
  func locate(_ files: Set<String>, _ messageQueue: MessageQueue) {
    sourceQueue.async {
      let found = self.paths(of: files)
      if !found.isEmpty { messageQueue.post(.located(found)) }
    }
  }

  func paths(of files: Set<String>) -> [String: String] {
    let locator = SourceLocator(files, in: directory, exists: { access($0, F_OK) == 0 })
    return files.reduce(into: [:]) { paths, file in
      paths[file] =
        (file.hasPrefix("/") ? path(belowDirectory: file) : nil)
        ?? locator.absolutePath(ofSource: file)
    }
  }

  /// Reads the lines around a place, and posts them.
  func read(_ place: SourcePlace, in path: String, _ messageQueue: MessageQueue) {
    sourceQueue.async {
      guard case .bytes(let text) = InputFile.read(path) else { return }
      messageQueue.post(.readSource(SourceLines(place, text: text)))
    }
  }

  /// Runs the editor on the terminal of the process and returns a problem, if any.
  ///
  /// - Parameter input: The terminal, which need not be standard input.
  func edit(_ path: String, line: Int, input: Int32, isTerminating: () -> Bool = { false })
    -> String?
  {
    let command = EditorCommand(environment, file: path, line: line)
    let words = ["/bin/sh", "-c", command.script, "sh"] + command.arguments
    var process = pid_t()
    var arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    let failure = posix_spawn(&process, "/bin/sh", &actions, nil, &arguments, environ)
    guard failure == 0 else {
      return "cannot start the editor: \(String(cString: strerror(failure)))"
    }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else { return nil }
      // A process that is asked to terminate does not wait for the editor.
      if isTerminating() {
        kill(process, SIGHUP)
        return nil
      }
    }
    let code = (status >> 8) & 0xFF
    // The user pressed ^C and needs no message.
    if status & 0x7F == SIGINT { return nil }
    if status & 0x7F != 0 { return "'\(command.name)' was stopped by signal \(status & 0x7F)" }
    switch code {
    case 0: return nil
    case 126, 127: return "editor '\(command.name)' not found; set $EDITOR"
    default: return "'\(command.name)' exited with code \(code)"
    }
  }

  /// Writes the selection to a file and posts the result to the message queue.
  ///
  /// - Parameter overwrites: A Boolean value that indicates whether an existing file may be
  ///   overwritten.
  func export(
    _ viewed: ViewedLog, _ members: ExportMembers, to path: String, overwrites: Bool,
    _ messageQueue: MessageQueue
  ) {
    let whole = expanded(path)
    let isInput = inputs.contains { OutputFile.isSame(whole, as: $0) }
    if !overwrites, !isInput, access(whole, F_OK) == 0 {
      let problem = Notice(text: "file exists; press Enter again to overwrite it", isError: true)
      return messageQueue.post(.exported(problem, existing: path))
    }
    queue.async {
      messageQueue.post(.exported(self.export(viewed, members, to: whole), existing: nil))
    }
  }

  /// Deletes the partial file of a running export because the process ends.
  func giveUp() {
    if let part = part.withLock({ $0 }) { unlink(part) }
  }

  /// Replaces a leading `~/` with the home directory, as a shell does.
  private func expanded(_ path: String) -> String {
    guard path.hasPrefix("~/"), let home = environment["HOME"] else { return path }
    return home + path.dropFirst()
  }

  func export(_ viewed: ViewedLog, _ members: ExportMembers, to path: String) -> Notice {
    guard let format = ExportName(path)?.format else {
      return Notice(text: ExportName.problem, isError: true)
    }
    if inputs.contains(where: { OutputFile.isSame(path, as: $0) }) {
      return Notice(text: "cannot overwrite the log itself: \(path)", isError: true)
    }
    let (excerpt, times) = viewed.excerpt(of: members)
    var failure: String?
    // The file gets its name only when it is complete.
    let part = path + ".part"
    self.part.withLock { $0 = part }
    defer { self.part.withLock { $0 = nil } }
    var code = OutputFile.write(to: part) { output in
      do throws(LogError) {
        try exporting(format, excerpt, times, viewed.verdict, output)
      } catch {
        failure = error.notice
      }
    }
    if code == nil, failure == nil, rename(part, path) != 0 { code = errno }
    if code != nil || failure != nil { unlink(part) }
    if let code {
      failure = "cannot write \(path): \(String(cString: strerror(code)))"
    }
    if let failure { return Notice(text: failure, isError: true) }
    return Notice(
      text: "\(CountText.make(excerpt.members.count, "subscription")) exported to \(path)")
  }
}

/// A command that opens a file in an editor at a line.
struct EditorCommand: Equatable {
  /// The name of the editor in messages.
  let name: String
  /// The script for `/bin/sh -c`. The shell splits the value of the variable, such as `code
  /// --wait`.
  let script: String
  /// The arguments of the script, from `$1`. No shell interprets them.
  let arguments: [String]

  /// Creates the command.
  ///
  /// - Parameter environment: The environment with `VISUAL` or else `EDITOR`. If neither is set,
  ///   the editor is `vi`.
  init(_ environment: Environment, file: String, line: Int) {
    let editor = environment["VISUAL"] ?? environment["EDITOR"] ?? "vi"
    let program = editor.split(separator: " ").first?.split(separator: "/").last ?? ""
    let line = max(1, line)
    switch program {
    case "code", "codium", "cursor", "windsurf":
      arguments = ["--goto", "\(file):\(line)"]
    case "subl", "zed", "hx", "helix":
      arguments = ["\(file):\(line)"]
    case "xed":
      arguments = ["--line", "\(line)", file]
    case "idea", "clion", "fleet":
      arguments = ["--line", "\(line)", file]
    default:
      arguments = ["+\(line)", file]
    }
    name = editor
    script = "\(editor) \"$@\""
  }
}

/// The clipboard of the user at the terminal, accessed with OSC 52. It also works over ssh.
enum Clipboard {
  /// The approximate maximum size in bytes that terminals accept.
  static let maxBytes = 74_000

  static func sequence(_ text: String) -> String {
    var end = text.utf8.count
    var cut = text
    while end > maxBytes {
      cut = String(cut.prefix(cut.count * maxBytes / end))
      end = cut.utf8.count
    }
    return "\u{1B}]52;c;\(Base64.text(Array(cut.utf8)))\u{07}"
  }
}

extension ViewedLog {
  /// Returns the subscriptions and the time range to export: the shown part of the log, or some of
  /// it.
  fileprivate func excerpt(of members: ExportMembers) -> (LogExcerpt, TimeRange) {
    let marked: TimeRange?
    let some: Set<Int>?
    switch members {
    case .shown(let time): (marked, some) = (time, nil)
    case .some(let indices, let time): (marked, some) = (time, Set(indices))
    }
    let times = marked ?? .always
    // Files have times of the clock, even if the view aligns the starts of the logs.
    let log = snapshot.onOneAxis
    let part = LogExcerpt(
      log, TimeRange(from: times.start, through: min(times.end, log.duration))
    ) { index in
      let lifecycle = log.lifecycles[index]
      return excerpt.contains(index) && some?.contains(index) ?? true
        && times.overlaps(lifecycle.start, log.lastMoment(of: lifecycle))
    }
    return (part, times)
  }
}
