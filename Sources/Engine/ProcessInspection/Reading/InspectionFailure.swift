import CodeLocations
import ProcessMemory
import SystemLibrary

/// The reasons why a process can't be inspected.
package enum InspectionFailure: Error, Equatable, Sendable {
  /// No process has this number.
  case noProcess
  /// The process has ended, and its parent hasn't noticed.
  case hasEnded
  /// The process belongs to another user.
  case otherUser(UInt32)
  /// The system only allows a process to read its descendants (1), only the administrator to read
  /// others (2), or nobody (3): `ptrace_scope` of the Linux security module Yama.
  case restricted(scope: Int)
  /// The process is a thread of the kernel.
  case kernelThread
  /// The program doesn't allow others to read it, or has more rights than the user who started it
  /// (`PR_SET_DUMPABLE` in prctl(2)).
  case protected
  /// Another process traces the process, such as a debugger. A process can only have one tracer.
  case traced(by: Int32, program: String?)
  /// The system doesn't allow to read the process, for another reason.
  case refused
  /// The program isn't a 64-bit program for the architecture of this one.
  case otherArchitecture
  /// This platform doesn't allow to inspect processes.
  case unsupported

  #if os(Linux)
    /// Determines why the threads of a process can't be stopped.
    package init(stopping process: Int32) {
      self = Self.tracer(of: process) ?? InspectionFailure(reading: process)
    }

    /// Determines why a process that this one has started can't be traced. Returns nil if the
    /// reason isn't a restriction.
    package init?(tracingOwnChildWithError error: Int32) {
      guard [EPERM, EACCES, ENOSYS].contains(error) else { return nil }
      // Whoever traces this process and those that it starts was first.
      if let traced = Self.tracer(of: getpid()) {
        self = traced
      } else if let scope = Self.scope, scope > 1 {
        self = .restricted(scope: scope)
      } else {
        self = .refused
      }
    }

    private static func tracer(of process: Int32) -> InspectionFailure? {
      ProcessEntry.tracer(of: process).map { tracer in
        let path = ProcessEntry(tracer)?.command.first
        return .traced(by: tracer, program: path?.split(separator: "/").last.map(String.init))
      }
    }

    /// The restriction of tracing by the security module Yama: 0 means none, 1 that a process may
    /// only trace its descendants, 2 that only the administrator may trace, and 3 that nobody may.
    private static var scope: Int? {
      ProcFile.text("/proc/sys/kernel/yama/ptrace_scope")
        .flatMap { $0.split(separator: "\n").first }.flatMap { Int($0) }
    }

    /// Returns why a process can't be read, or nil if it can.
    package static func preventing(_ process: Int32) -> InspectionFailure? {
      guard isReadable(process) else { return .otherArchitecture }
      if let map = MemoryMap(ofProcess: process), !map.parts.isEmpty,
        ProcessMemory(ofProcess: process, mappedBy: map) != nil
      {
        return nil
      }
      return InspectionFailure(reading: process)
    }

    /// Determines why the memory of a process can't be read.
    package init(reading process: Int32) {
      guard let entry = ProcessEntry(process) else {
        self = .noProcess
        return
      }
      guard !entry.isZombie else {
        self = .hasEnded
        return
      }
      guard !entry.isOfKernel else {
        self = .kernelThread
        return
      }
      let scope = Self.scope ?? 0
      // These restrict the user of the process, too.
      if scope > 2 || scope == 2 && geteuid() != 0 {
        self = .restricted(scope: scope)
        return
      }
      if let user = ProcessEntry.user(of: process), geteuid() != 0 {
        guard user == geteuid() else {
          self = .otherUser(user)
          return
        }
        // The files of a protected process belong to the administrator.
        var status = stat()
        if stat("/proc/\(process)", &status) == 0, status.st_uid != user {
          self = .protected
          return
        }
      }
      // Only a container restricts its administrator.
      self = scope > 0 && geteuid() != 0 ? .restricted(scope: scope) : .refused
    }

    /// Returns whether the program of a process is a 64-bit program for this architecture.
    static func isReadable(_ process: Int32) -> Bool {
      guard let header = ProcFile.bytes("/proc/\(process)/exe", maxCount: ElfLayout.headerSize)
      else { return true }
      return ElfLayout.isForThisArchitecture(header)
    }
  #endif
}
