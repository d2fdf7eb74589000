import SystemLibrary

@testable import TerminalUI
@testable import TraceAnalysis
@testable import TraceFormat
@testable import ViewerBase

/// How long a process has run, and how often it has waited, as Linux tells of it.
struct ProcessTimes: Equatable {
  /// Ticks in user mode and in the kernel.
  let ticks: [Int]
  /// Of its first thread, which draws.
  let waits: Int

  static var areKnown: Bool { ProcessTimes(getpid()) != nil }

  init?(_ process: Int32) {
    guard let statistics = Self.text("/proc/\(process)/stat"),
      let status = Self.text("/proc/\(process)/task/\(process)/status"),
      // The name of the program stands in parentheses, and may hold anything.
      let end = statistics.lastIndex(of: ")")
    else { return nil }
    let fields = statistics[end...].split(separator: " ")
    let key = "voluntary_ctxt_switches:"
    guard fields.count > 13,
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix(key) }),
      let waits = Int(line.dropFirst(key.count).filter(\.isNumber))
    else { return nil }
    ticks = fields[12...13].compactMap { Int($0) }
    self.waits = waits
  }

  private static func text(_ path: String) -> String? {
    guard case .bytes(let bytes) = InputFile.read(path) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}
