package import ProcessInspection
import SystemLibrary
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
        + "known. A release build with --static-swift-stdlib keeps them with --disable-dead-strip."
    case .unknownLayout:
      "This version of the Swift runtime isn't known: "
        + (process.layout.map { "its tasks have the layout \($0). " }
          ?? "it doesn't describe the layout of its tasks. ") + "So the tasks aren't known."
    case .unread: "Not all files could be read, so tasks and calls may be missing."
    }
  }

  // MARK: Core files

  /// Returns the reason why a core file can't be inspected, and what to do.
  package static func sentence(_ failure: CoreFailure, core path: String) -> String {
    let name = "'\(RawPath.shown(path))'"
    return switch failure {
    case .cannotOpen(let error): "\(name) cannot be opened: \(SystemError.reason(error))."
    case .notACore:
      "\(name) isn't a core file of a 64-bit program. Decompress it if it is compressed "
        + "('coredumpctl dump' does both), or use the number of a process."
    case .otherArchitecture:
      "\(name) can't be inspected, because it isn't that of a program for the architecture of "
        + "\(ProgramInfo.name)."
    case .noNotes:
      "\(name) can't be inspected, because it doesn't describe a process and its threads. It may "
        + "be truncated."
    case .unreadable: "\(name) can't be inspected, because there isn't enough memory."
    case .unsupported: "\(name) can't be inspected, because that is only supported on Linux."
    }
  }

  /// Returns what a core file never has.
  package static func limitOfCore(_ path: String) -> String {
    "'\(RawPath.shown(path))' shows one moment. It has neither the names of other threads than the "
      + "first one, nor open files, sockets and processes, and it isn't known what was moving."
  }

  #if os(Linux)
    /// Returns why not everything is known about the process of a core file, and what to do.
    package static func sentences(
      _ doubts: [InspectedCore.Doubt], core path: String
    ) -> [String] {
      let name = "'\(RawPath.shown(path))'"
      var sentences: [String] = []
      if doubts.contains(.truncated) {
        sentences.append(
          "\(name) is truncated: it ends before the memory that it describes. "
            + "'ulimit -c unlimited' removes the limit of the size.")
      }
      if doubts.contains(.damaged) {
        sentences.append(
          "\(name) is damaged: parts of its memory overlap or can't be. "
            + "Copy it again, or make another one.")
      }
      if doubts.contains(.noMemory) {
        sentences.append(
          "\(name) doesn't have all the memory that the process has changed. The default of "
            + "/proc/PID/coredump_filter, 0x33, writes it, except what the program itself excludes "
            + "(MADV_DONTDUMP).")
      }
      if doubts.contains(.noProgram) {
        sentences.append("\(name) doesn't say which program and libraries the process had.")
      }
      let advice = "Name the folder with the files of the process with '--sysroot DIR'."
      for (files, reason) in [
        (doubts.compactMap(\.missingPath), "missing or can't be opened"),
        (doubts.compactMap(\.differentPath), "not what the process had"),
        (doubts.compactMap(\.incomparablePath), "unproven, because \(name) has nothing to compare"),
      ] where !files.isEmpty {
        let shown = files.prefix(3).map { "'\(RawPath.shown($0))'" }.joined(separator: ", ")
        let others = files.count > 3 ? " and \(files.count - 3) others" : ""
        sentences.append(
          "\(shown)\(others) \(files.count == 1 ? "is" : "are") \(reason). \(advice)")
      }
      return sentences
    }
  #endif

  // MARK: Processes

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
      let setting = "(kernel.yama.ptrace_scope is \(scope))"
      return switch scope {
      case ...1:
        "\(start), because the system only allows a process to read its own descendants "
          + "\(setting). Start the program with '\(ProgramInfo.name) run -- COMMAND', or use "
          + "'sudo'."
      case 2:
        "\(start), because the system only allows it to the administrator \(setting). Use 'sudo'."
      default:
        "\(start), because the system doesn't allow it to anyone \(setting). It can only be "
          + "changed by a restart of the system."
      }
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

#if os(Linux)
  extension InspectedCore.Doubt {
    fileprivate var missingPath: String? {
      if case .missing(let path) = self { path } else { nil }
    }

    fileprivate var differentPath: String? {
      if case .different(let path) = self { path } else { nil }
    }

    fileprivate var incomparablePath: String? {
      if case .incomparable(let path) = self { path } else { nil }
    }
  }
#endif
