import TraceAnalysis
import TraceFormat

/// A process number for each log: its pid, unless the pid is unknown or another log has it. Other
/// programs would merge two logs with the same number into one process.
struct ProcessNumbers {
  private let numbers: [Int32]

  subscript(log: Int) -> Int32 { numbers[log] }

  init(_ log: LogAnalysis) {
    let pids = log.logs.map { $0.header?.pid.flatMap { Int32(exactly: $0) } }
    var taken: Set<Int32> = [0]
    var free: Int32 = 1
    let known = Set(pids.compactMap(\.self))
    numbers = pids.map { pid in
      if let pid, taken.insert(pid).inserted { return pid }
      while known.contains(free) || !taken.insert(free).inserted { free += 1 }
      return free
    }
  }
}
