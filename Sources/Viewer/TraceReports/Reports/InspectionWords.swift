package import ProcessInspection
import TraceFormat
import ViewerConsole

/// The words for what can't be inspected.
package enum InspectionWords {
  /// Returns the sentence for a process whose tasks aren't all known, or nil if they are.
  static func doubt(_ process: InspectedProcess) -> String? {
    switch process.taskList {
    case .complete: nil
    case .incomplete: "There wasn't enough time to find all tasks."
    case .noRuntime:
      "The process doesn't use Swift concurrency, or its symbols were removed, so its tasks aren't "
        + "known."
    case .unknownLayout:
      "This version of the Swift runtime isn't known: "
        + (process.layout.map { "its tasks have the layout \($0). " }
          ?? "it doesn't describe the layout of its tasks. ") + "So the tasks aren't known."
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
