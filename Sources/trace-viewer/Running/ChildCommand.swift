import CViewer.Commands
import ProcessInspection
import SystemLibrary
import TraceReports
import ViewerConsole

/// A command that runs as a child of this process, in the same process group and with the same
/// input.
///
/// A key that interrupts or stops reaches both processes. This process then waits for the command
/// to end or stop, and follows it. A signal that is sent only to this process is passed on.
struct ChildCommand {
  enum Ending: Equatable {
    case exited(Int32)
    case killed(by: Int32)
    /// The command took longer than a limit, and was ended.
    case timedOut(RunLimit)

    /// The exit code that a shell reports.
    var code: ExitCode {
      switch self {
      case .exited(let code): ExitCode(rawValue: code)
      case .killed(let signal): ExitCode(rawValue: 128 + signal)
      case .timedOut: .timedOut
      }
    }
  }

  private let process: pid_t
  /// The processes that are searched when they end.
  private let tracing: CommandTracing?
  private let streams: CommandStreams

  /// Starts a command as a shell would. `process_hold_signals` must have been called before.
  ///
  /// - Parameters:
  ///   - words: The command and its arguments.
  ///   - variables: The environment variables to set in addition to those of this process.
  ///   - streams: The streams that the command writes to.
  ///   - tracing: What traces the processes of the command, or nil.
  init(
    _ words: [String], setting variables: [String: String], _ streams: CommandStreams,
    tracing: CommandTracing? = nil
  ) throws(RunFailure) {
    self.streams = streams
    self.tracing = tracing
    let search = CommandSearch(words.first ?? "")
    let environment = ChildCommand.environment(variables)
    let arguments = words.map(ChildCommand.bytes)
    process = try search.start { path, isScript in
      let all =
        isScript
        ? [CommandSearch.shell, path].map(ChildCommand.bytes) + arguments.dropFirst()
        : arguments
      var process: pid_t = 0
      let code = ChildCommand.withPointers(all) { all in
        ChildCommand.withPointers(environment) { environment in
          RawPath.with(isScript ? CommandSearch.shell : path) {
            if let tracing {
              return tracing.start(
                $0, all, environment, streams.output, streams.errors, &process)
            }
            return process_start($0, all, environment, streams.output, streams.errors, &process)
          }
        }
      }
      return (process, code)
    }
  }

  /// Waits until the command has ended. Passes signals on and stops when the command stops.
  ///
  /// - Parameters:
  ///   - watch: The time limits of the command.
  ///   - report: A closure that reports what the command waits for. It is called when this process
  ///     gets `SIGQUIT`, and when a time limit is reached.
  func wait(_ watch: CommandWatch, report: (RunLimit?) -> Void) -> Ending {
    // A key that ended the command has reached this process, too, and is dealt with. Signals that
    // come from here on are meant for the check.
    defer {
      tracing?.finishSearches()
      process_forget_signals()
    }
    while true {
      switch nextChange() {
      case .ended(let ending): return ending
      case .stopped:
        if let ending = stop() { return ending }
        continue
      case .continued: continue
      case nil: break
      }
      tracing?.checkOverdue()
      if let limit = watch.reachedLimit {
        report(limit)
        endAll()
        return .timedOut(limit)
      }
      let signal =
        pause(watch).map { process_next_signal_within($0) } ?? process_next_signal()
      #if os(Linux)
        if signal.number == SIGQUIT {
          report(nil)
          continue
        }
      #endif
      pass(signal)
    }
  }

  /// Returns the time to wait for a signal, in nanoseconds, or nil to wait for any time.
  private func pause(_ watch: CommandWatch) -> Int? {
    [watch.pause, tracing?.pause].compactMap(\.self).min()
  }

  /// Ends the command and all processes that it started: with a request, and if that doesn't help
  /// within two seconds, by force.
  private func endAll() {
    tracing?.stopSearching()
    #if os(Linux)
      var asked: Set<Int32> = []
      let start = ContinuousClock.now
      while true {
        // Processes that end can still start others, so the list is read again.
        let others = streams.processes()
        if others.isEmpty { break }
        let isForced = start.duration(to: .now) > .seconds(2)
        for other in others where isForced || asked.insert(other.process).inserted {
          kill(other.process, isForced ? SIGKILL : SIGTERM)
          // A stopped process gets the signal when it continues.
          kill(other.process, SIGCONT)
        }
        if start.duration(to: .now) > .seconds(10) { break }
        usleep(10_000)
        reap()
      }
    #else
      kill(process, SIGTERM)
    #endif
    reap()
  }

  private func reap() {
    var status: Int32 = 0
    while case let changed = wait(&status, WNOHANG), changed > 0 {
      _ = tracing?.handle(changed, status)
    }
  }

  /// Waits for a change of any child or traced process.
  private func wait(_ status: inout Int32, _ options: Int32) -> pid_t {
    waitpid(-1, &status, options | (tracing?.waitOptions ?? 0))
  }

  enum Change: Equatable {
    case ended(Ending)
    case stopped, continued

    /// Creates the change that a status of `waitpid` stands for.
    init(status: Int32) {
      let (low, high) = (status & 0xFF, status >> 8 & 0xFF)
      switch low {
      case 0: self = .ended(.exited(high))
      // Linux reports 0xFFFF for a process that continues, and Darwin a stop by SIGCONT.
      case 0xFF: self = .continued
      case 0x7F where high == SIGCONT: self = .continued
      case 0x7F: self = .stopped
      default: self = .ended(.killed(by: low & 0x7F))
      }
    }
  }

  /// Returns what has happened to the command since the last call, or `nil` if nothing has.
  private func nextChange() -> Change? {
    var status: Int32 = 0
    // The first process of a container inherits the children of processes that have ended. A relay
    // ends when the command closes its streams.
    while true {
      let changed = wait(&status, WNOHANG | WUNTRACED | WCONTINUED)
      if changed < 0, errno == EINTR { continue }
      guard changed > 0 else { return nil }
      switch tracing?.handle(changed, status) {
      case .handled: continue
      case .stopped where changed == process: return .stopped
      case .stopped: continue
      case .ended, nil: break
      }
      if changed == process { break }
    }
    return Change(status: status)
  }

  /// Stops this process, because the command has stopped and the shell waits for this process.
  /// Returns the ending of the command if it has ended instead.
  private func stop() -> Ending? {
    // A shell continues the whole group, one process after the other. A command that is about to
    // continue must not stop this process again.
    usleep(20_000)
    switch nextChange() {
    case .ended(let ending): return ending
    case .continued: return nil
    case .stopped, nil: break
    }
    guard process_is_stopped(process), process_stop_self() else { return nil }
    // If only this process was continued, it continues the command. A key may have stopped it
    // again in the meantime, which is a change.
    usleep(20_000)
    switch nextChange() {
    case .ended(let ending): return ending
    case .continued: return nil
    case .stopped: return stop()
    case nil:
      if process_is_stopped(process) { kill(process, SIGCONT) }
      return nil
    }
  }

  /// Passes a signal to the command, unless the command got it anyway.
  private func pass(_ signal: process_signal) {
    // The code that stops this process also decides whether the command has to be continued.
    guard signal.number != SIGCHLD, signal.number != SIGCONT, signal.sender != process else {
      return
    }
    // A key reaches the whole group, and the command may have left it.
    guard !signal.is_from_kernel || getpgid(process) != getpgrp() else { return }
    kill(process, signal.number)
  }

  // MARK: Words and variables

  private static func bytes(_ word: String) -> [CChar] {
    RawPath.bytes(word).map { CChar(bitPattern: $0) } + [0]
  }

  /// Returns the environment of this process with some variables changed.
  private static func environment(_ variables: [String: String]) -> [[CChar]] {
    var entries: [[CChar]] = []
    var next = process_environment()
    while let entry = next?.pointee {
      let text = Array(UnsafeBufferPointer(start: entry, count: strlen(entry) + 1))
      let name = text.prefix { $0 != CChar(bitPattern: UInt8(ascii: "=")) }
      let isChanged = variables.keys.contains { key in
        key.utf8.elementsEqual(name.map { UInt8(bitPattern: $0) })
      }
      if !isChanged { entries.append(text) }
      next = next?.successor()
    }
    return entries + variables.sorted { $0.key < $1.key }.map { bytes("\($0.key)=\($0.value)") }
  }

  private static func withPointers<Result>(
    _ texts: [[CChar]], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let pointers = texts.map { text in
      text.withUnsafeBufferPointer { $0.baseAddress.flatMap { strdup($0) } }
    }
    defer { pointers.forEach { free($0) } }
    return body(pointers + [nil])
  }
}
