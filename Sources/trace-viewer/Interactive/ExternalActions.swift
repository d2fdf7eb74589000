import Dispatch
import SystemLibrary
import TerminalUI
import TraceAnalysis

/// The actions that involve other programs: opening sources in an editor and exporting events to
/// files.
final class ExternalActions: Sendable {
  /// The directory below which to look for sources.
  let directory: String
  private let environment: Environment
  private let inputs: [String]
  private let queue = DispatchQueue(label: "trace-viewer.export")
  /// The file that is being written.
  private let part = BlockingMutex<String?>(nil)

  /// Creates the actions.
  ///
  /// - Parameter inputs: The logs, which no export may overwrite.
  init(_ environment: Environment, directory: String, inputs: [String]) {
    self.environment = environment
    self.directory = directory
    self.inputs = inputs
  }

  /// Returns the path of a source file in a log, or `nil` if it is not known for certain.
  func path(ofSource file: String) -> String? {
    let exists: (String) -> Bool = { access($0, F_OK) == 0 }
    if file.hasPrefix("/"), let whole = path(belowDirectory: file) { return whole }
    let locator = SourceLocator([file], in: directory, exists: exists)
    return locator.absolutePath(ofSource: file)
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

  /// Runs the editor on the terminal of the process and returns a problem, if any.
  ///
  /// - Parameter input: The terminal, which need not be standard input.
  func edit(_ path: String, line: Int, input: Int32, isToEnd: () -> Bool = { false }) -> String? {
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
      return "the editor cannot be started: \(String(cString: strerror(failure)))"
    }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else { return nil }
      // A process that is asked to terminate does not wait for the editor.
      if isToEnd() {
        kill(process, SIGHUP)
        return nil
      }
    }
    let code = (status >> 8) & 0xFF
    // The user pressed ^C and needs no message.
    if status & 0x7F == SIGINT { return nil }
    if status & 0x7F != 0 { return "'\(command.name)' was ended by signal \(status & 0x7F)" }
    switch code {
    case 0: return nil
    case 126, 127: return "there is no editor '\(command.name)'; set $EDITOR to one"
    default: return "'\(command.name)' ended with \(code)"
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
      let problem = Notice(text: "it exists; Enter again writes over it", isError: true)
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
      return Notice(text: "Nothing was written over the log itself: \(path)", isError: true)
    }
    let selection = ExportSelection(viewed, members)
    var failure: String?
    // The file gets its name only when it is complete.
    let part = path + ".part"
    self.part.withLock { $0 = part }
    defer { self.part.withLock { $0 = nil } }
    var code = OutputFile.write(to: part) { output in
      do throws(LogError) {
        try format.export(selection, to: output)
      } catch {
        failure = error.notice
      }
    }
    if code == nil, failure == nil, rename(part, path) != 0 { code = errno }
    if code != nil || failure != nil { unlink(part) }
    if let code {
      failure = "\(String(cString: strerror(code))): nothing was written to \(path)"
    }
    if let failure { return Notice(text: failure, isError: true) }
    return Notice(text: "\(CountText.make(selection.count, "subscription")) exported to \(path)")
  }
}
