import CodeLocations
import HostSafety
import SystemLibrary

/// The reasons why a process can't be inspected.
package enum InspectionFailure: Error, Equatable, Sendable {
  /// No process has this number.
  case noProcess
  /// The process has ended, and its parent hasn't noticed.
  case hasEnded
  /// The process belongs to another user.
  case otherUser(UInt32)
  /// The system only allows a process to read its descendants (`ptrace_scope` of the Linux security
  /// module Yama).
  case restricted(scope: Int)
  /// The process is a thread of the kernel.
  case kernelThread
  /// The program doesn't allow others to read it, or has more rights than the user who started it
  /// (`PR_SET_DUMPABLE` in prctl(2)).
  case protected
  /// The system doesn't allow to read the process, for another reason.
  case refused
  /// The program isn't a 64-bit program for the architecture of this one.
  case otherArchitecture
  /// This platform doesn't allow to inspect processes.
  case unsupported

  #if os(Linux)
    /// Determines why the memory of a process can't be read.
    init(reading process: Int32) {
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
      let scope = ProcFile.text("/proc/sys/kernel/yama/ptrace_scope")
        .flatMap { $0.split(separator: "\n").first }.flatMap { Int($0) }
      if let scope, scope > 0 { self = .restricted(scope: scope) } else { self = .refused }
    }

    /// Returns whether the program of a process is a 64-bit program for this architecture.
    static func isReadable(_ process: Int32) -> Bool {
      guard let header = ProcFile.bytes("/proc/\(process)/exe", maxCount: ElfLayout.headerSize)
      else { return true }
      return ElfLayout.isForThisArchitecture(header)
    }
  #endif
}
