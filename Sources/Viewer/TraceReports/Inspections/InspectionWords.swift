package import ProcessInspection
import ProcessMemory
import SwiftRuntime
import TraceFormat
import ViewerConsole

/// The words for what processes, tasks and threads do.
package enum InspectionWords {
  /// Returns a call as a person would name it: its function and its line.
  package static func place(_ frame: InspectedFrame) -> String {
    let function = frame.function ?? frame.offset
    return frame.source.map { "\(function) (\($0))" } ?? function
  }

  /// Returns the name of a task: its number, and the name that the program gave to it.
  package static func task(_ task: InspectedTask) -> String {
    let number = "task #\(task.record.number)"
    return task.record.name.map { "\(number) '\($0)'" } ?? number
  }

  /// Returns what a thread does, such as "waits for a semaphore".
  package static func activity(_ activity: ThreadActivity) -> String {
    switch activity {
    case .running: "runs"
    case .semaphore: "waits for a semaphore"
    case .lock(let holder): "waits for a lock\(held(by: holder))"
    case .condition: "waits for a condition"
    case .queue(let label, let holder):
      "waits for the dispatch queue\(label.map { " '\($0)'" } ?? "")"
        + (holder.map { ", which thread \($0) uses" } ?? "")
    case .dispatchGroup: "waits for a dispatch group"
    case .sleep: "sleeps"
    case .child: "waits for a child process"
    case .join(let thread):
      "waits for the end of \(thread.map { "thread \($0)" } ?? "another thread")"
    case .read(let file): "waits for input\(file.map { " from \($0)" } ?? "")"
    case .write(let file): "waits to write\(file.map { " to \($0)" } ?? "")"
    case .events: "waits for an event"
    case .fileLock(let file): "waits for a file lock\(file.map { " on \($0)" } ?? "")"
    case .once: "waits for another thread to initialize a variable"
    case .message: "waits for a message"
    case .stopped: "is stopped"
    case .idle: "waits for work"
    case .other: "waits in the system"
    }
  }

  private static func held(by holder: Int32?) -> String {
    holder.map { " that thread \($0) holds" } ?? ""
  }

  /// Returns what a task does, such as "waits for task #17".
  package static func state(_ task: InspectedTask, in inspection: Inspection) -> String {
    let canceled = task.record.status.isCancelled ? "canceled, " : ""
    return canceled + wait(task, inspection)
  }

  private static func wait(_ task: InspectedTask, _ inspection: Inspection) -> String {
    switch task.state {
    case .running: return task.thread.map { "\(WaitWords.runs) on thread \($0)" } ?? WaitWords.runs
    case .enqueued:
      return task.executor.map { "waits for its turn on \($0)" } ?? "waits for a thread"
    case .suspended: return WaitWords.unknown
    case .waiting: break
    }
    switch task.record.wait {
    case .task(let address):
      let other = inspection.waits.index(ofTaskAt: address)
      return other.map { "waits for \(self.task(inspection.tasks[$0]))" } ?? "waits for a task"
    case .group: return WaitWords.group
    case .continuation, .executor, nil: return pause(HangFinding.Pause(of: task))
    }
  }

  static func pause(_ pause: HangFinding.Pause) -> String {
    switch pause {
    case .sleep: WaitWords.continuation(.sleep)
    case .stream: WaitWords.continuation(.stream)
    case .promise: WaitWords.continuation(.promise)
    case .yield: "lets other tasks run"
    case .other: WaitWords.continuation(nil)
    }
  }

  /// Returns what a finding says, in a sentence or, if threads wait for each other, in several.
  ///
  /// - Parameter isHang: A Boolean value that indicates whether the process is known to hang. A
  ///   process that was only looked at may be at work or at rest.
  package static func sentence(
    _ finding: HangFinding, in inspection: Inspection, isHang: Bool
  ) -> String {
    let test = finding.test.map { "the test \($0.name)" }
    let subject =
      isHang
      ? "\(test.map { "T" + $0.dropFirst() } ?? "The process") hangs because"
      : "If \(test ?? "the process") hangs, it does so because"
    let at = finding.places.first.map { " in \(place($0))" } ?? ""
    switch finding.cause {
    case .stopped(.signal):
      let process = inspection.process.process
      return "A signal has stopped the process. The command 'kill -CONT \(process)' continues it."
    case .stopped(.tracer(let tracer)):
      return "Process \(tracer), such as a debugger, has stopped the process."
    case .taskCycle where finding.tasks.count == 1:
      return "A task waits for its own end\(at)."
    case .taskCycle:
      return "\(CountText.make(finding.tasks.count, "task")) wait for each other's ends."
    case .lockCycle where finding.threads.count == 1:
      return "Thread \(finding.threads[0]) waits for a lock that it holds itself\(at)."
    case .lockCycle:
      return "\(CountText.make(finding.threads.count, "thread")) wait for each other."
    case .blockedPool:
      return
        "All \(CountText.make(finding.threads.count, "thread")) that run tasks are blocked, so "
        + "no other task can run."
    case .blockedThread, .busy:
      guard !finding.threads.isEmpty else { return "\(subject) a task is busy\(at)." }
      return threads(finding, subject, inspection)
    case .continuation(.other):
      return "\(subject) nobody has resumed the continuation\(at)."
    case .continuation(let pause):
      return "\(subject) a task \(self.pause(pause))\(at)."
    case .executor(let type):
      return "\(subject) a task waits for its turn on \(type ?? "an executor")\(at)."
    case .unknown:
      return "\(subject) a task waits\(at). It isn't known for what."
    }
  }

  /// Returns what each thread of a finding does, from the one that waits to the one at the bottom.
  private static func threads(
    _ finding: HangFinding, _ subject: String, _ inspection: Inspection
  ) -> String {
    var sentences: [String] = []
    for number in finding.threads {
      let thread = inspection.threads.first { $0.thread == number }
      let isBottom = number == finding.threads.last
      let activity =
        isBottom && finding.cause == .busy
        ? "is busy" : thread.map { self.activity($0.activity) } ?? "waits"
      let at = thread?.frames.place.map { " in \(place($0))" } ?? ""
      let start = sentences.isEmpty ? "\(subject) thread" : "Thread"
      sentences.append("\(start) \(number) \(activity)\(at).")
    }
    return sentences.joined(separator: " ")
  }

  /// Returns the sentence for a process whose tasks aren't all known, or nil if they are.
  package static func doubt(_ list: Inspection.TaskList) -> String? {
    switch list {
    case .found(isComplete: true): nil
    case .found(isComplete: false): "There wasn't enough time to find all tasks."
    case .noRuntime:
      "The process doesn't use Swift concurrency, or its symbols were removed, so its tasks aren't "
        + "known."
    case .unknownLayout(let version):
      "This version of Swift isn't known (layout \(version)), so the tasks aren't known."
    }
  }

  private static func name(_ process: Int32, _ program: String?) -> String {
    "process \(process)" + (program.map { " (\($0))" } ?? "")
  }

  /// Returns the reason why a command isn't run whose processes should be traced, and what to do.
  ///
  /// - Parameters:
  ///   - failure: What restricts tracing, or nil if nothing does.
  ///   - reason: The system's words for the error.
  package static func sentence(
    untraceable command: String, _ failure: InspectionFailure?, reason: String
  ) -> String {
    let start = "\(command) was not run, because its processes can't be traced, as --leaks requires"
    switch failure {
    case .traced(let tracer, let program):
      return "\(start): \(name(tracer, program)) traces them already. Run "
        + "\(ProgramInfo.name) without that program, or omit --leaks."
    case .restricted(let scope):
      return "\(start): the system forbids it (kernel.yama.ptrace_scope is \(scope)). "
        + (scope == 2
          ? "Use 'sudo', or set it to 1." : "It can only be changed by a restart of the system.")
    case nil: return "\(start): \(reason)."
    default:
      return "\(start): the system forbids it (\(reason)). In a container, allow it with "
        + "'docker run --cap-add=SYS_PTRACE --security-opt seccomp=unconfined', or omit --leaks."
    }
  }

  /// Returns the reason why a process can't be inspected, and what to do.
  package static func sentence(_ failure: InspectionFailure, process: Int32) -> String {
    let start = "Process \(process) can't be inspected"
    switch failure {
    case .noProcess: return "No process has the number \(process)."
    case .hasEnded: return "Process \(process) has ended already."
    case .otherUser(let user):
      return "\(start), because it belongs to the user with the number \(user). "
        + "Use 'sudo', or run this command as that user."
    case .restricted(let scope):
      return "\(start), because the system only allows a process to read its own descendants "
        + "(kernel.yama.ptrace_scope is \(scope)). Start the program with "
        + "'\(ProgramInfo.name) run -- COMMAND', or use 'sudo'."
    case .kernelThread:
      return "\(start), because it is a thread of the kernel and not a program."
    case .protected:
      return
        "\(start), because the program has protected itself or runs with the rights of another "
        + "user. Use 'sudo'."
    case .traced(let tracer, let program):
      return
        "\(start), because \(name(tracer, program)) traces it, and a process can only have one "
        + "tracer. End that program first."
    case .refused:
      return "\(start), because the system doesn't allow it. In a container, the capability "
        + "SYS_PTRACE is needed ('docker run --cap-add=SYS_PTRACE')."
    case .otherArchitecture:
      return "\(start), because it isn't a 64-bit program for the architecture of "
        + "\(ProgramInfo.name)."
    case .unsupported: return "\(start), because that is only supported on Linux."
    }
  }
}
