import SystemLibrary

@testable import ViewerConsole

/// The processor time and the number of waits of a process, from `/proc`.
struct ProcessTimes: Equatable {
  /// The ticks in user mode and in the kernel.
  let ticks: [Int]
  /// The number of voluntary waits of the first thread, which draws.
  let waits: Int

  static var areKnown: Bool { ProcessTimes(getpid()) != nil }

  init?(_ process: Int32) {
    guard let statistics = Self.text("/proc/\(process)/stat"),
      let status = Self.text("/proc/\(process)/task/\(process)/status"),
      // The name of the program is in parentheses and may contain any character.
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
