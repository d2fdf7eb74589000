import SystemLibrary
import TraceFormat

/// The debugger of this process, if one is attached.
enum Debugger {
  static func stop(at source: String, on moment: TracedSubscription.Moment) {
    switch Trace.breakpointAction {
    case .trap: raise(SIGTRAP)
    case .auto where isAttached: raise(SIGTRAP)
    case .auto, .log:
      Diagnostics.warn(
        "breakpoint at \(source) on \(moment.rawValue): no debugger is attached, "
          + "so the program continues."
      )
    }
  }

  /// A Boolean value that indicates whether a debugger is attached. It asks the system, which takes
  /// about 10 microseconds.
  static var isAttached: Bool {
    #if os(Linux)
      return tracer(in: "/proc/self/status") > 0
    #elseif canImport(Darwin)
      var information = kinfo_proc()
      var size = MemoryLayout<kinfo_proc>.stride
      var name: [Int32] = [CTL_KERN, KERN_PROC, KERN_PROC_PID, getpid()]
      guard sysctl(&name, UInt32(name.count), &information, &size, nil, 0) == 0 else {
        return false
      }
      return information.kp_proc.p_flag & P_TRACED != 0
    #else
      return false
    #endif
  }

  #if os(Linux)
    private static func tracer(in path: String) -> Int {
      guard let text = OwnDescriptor.bytes(of: path, upTo: 4096) else { return 0 }
      let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
      let line = lines.first { $0.hasPrefix("TracerPid:") }
      return line.flatMap { Int($0.dropFirst(10).drop { $0 == "\t" || $0 == " " }) } ?? 0
    }
  #endif
}
