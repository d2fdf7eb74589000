import SystemLibrary

/// The name of the run to which this process belongs. A run is a process that was started with a
/// path for its log, and all of its descendants with the same path.
///
/// `REACTIVE_TRACE=trace.jsonl swift test` is one run with two processes that write `trace.jsonl`,
/// one after the other. Running the same command later is another run, which is supposed to replace
/// the log.
enum RunName {
  /// The maximum number of parents to examine.
  private static let maxParents = 64
  /// The maximum size of the environment of a process.
  private static let maxBytes = 1 << 20

  /// Returns the name, or nil if it is unavailable.
  ///
  /// - Parameter logPath: The value of `REACTIVE_TRACE` in this process.
  static func current(logPath: String) -> String? {
    #if os(Linux)
      guard var first = ProcessStatus("self") else { return nil }
      let setting = Array("\(EnvironmentSettings.prefix)=\(logPath)".utf8)
      for _ in 0..<maxParents where first.parent > 0 {
        guard let parent = ProcessStatus("\(first.parent)"), !parent.leadsTerminal,
          let bytes = OwnDescriptor.bytes(of: "/proc/\(first.parent)/environ", upTo: maxBytes),
          bytes.split(separator: 0).contains(where: { $0.elementsEqual(setting) })
        else { break }
        first = parent
      }
      // A process ID can be reused, but not with the same start time.
      return "\(first.process)-\(first.start)"
    #else
      return nil
    #endif
  }
}

#if os(Linux)
  /// The status of a process, as reported by the kernel.
  private struct ProcessStatus {
    let process: Int
    let parent: Int
    /// The time when the process started, in ticks since the machine started.
    let start: Int
    /// A Boolean value that indicates whether the process is an interactive shell. The commands
    /// that it starts don't belong to one run.
    let leadsTerminal: Bool

    init?(_ name: String) {
      guard let bytes = OwnDescriptor.bytes(of: "/proc/\(name)/stat", upTo: 4096),
        // The name of the program is in parentheses, and can contain spaces and parentheses.
        let end = bytes.lastIndex(of: UInt8(ascii: ")")),
        let process = Self.number(bytes.prefix { $0 != UInt8(ascii: " ") })
      else { return nil }
      // The fields start with the third one, the state.
      let fields = bytes[(end + 1)...].split(separator: UInt8(ascii: " "))
      guard fields.count > 19, let parent = Self.number(fields[1]),
        let session = Self.number(fields[3]), let terminal = Self.number(fields[4]),
        let start = Self.number(fields[19])
      else { return nil }
      self.process = process
      self.parent = parent
      self.start = start
      leadsTerminal = session == process && terminal != 0
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
      Int(String(decoding: digits, as: UTF8.self))
    }
  }
#endif
