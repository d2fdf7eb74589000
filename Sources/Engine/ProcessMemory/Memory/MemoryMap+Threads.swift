import CRuntime.OwnProcess
import SystemLibrary

/// The description of a thread at the end of its stack (`struct pthread` in glibc's
/// `nptl/descr.h`, `tcbhead_t` in `sysdeps/x86_64/nptl/tls.h`). It begins with its own address.
/// Offsets are in bytes.
private enum ThreadLayout {
  /// The address of the description once more.
  static let ownAddress: UInt = 16
  /// The number of the thread, in four bytes. The kernel clears it when the thread has ended.
  static let number: UInt = 720
  static let alignment: UInt = 64
  /// The maximum distance of a description from the end of a stack, and the maximum size of the
  /// memory that the dynamic linker makes for that of the first thread.
  static let maxDistance: UInt = 1 << 14
  static let maxSizeOfFirst: UInt = 1 << 18
}

extension MemoryMap {
  /// Marks the stacks of threads by the descriptions at their ends, and excludes those of threads
  /// that have ended. The C library keeps these for later threads, and they have old words.
  ///
  /// Nothing changes unless all descriptions that belong to a stack pointer are those of threads.
  package mutating func markThreads(at pointers: [UInt], _ memory: ProcessMemory) {
    let threads = ThreadNumbers.inside(process: memory.process)
    let used = Set(pointers.compactMap(index))
    var isLayoutKnown = false
    var ended: [Int: UInt] = [:]
    var stacks: [Int] = []
    for (index, part) in parts.enumerated() where part.use == .heap {
      guard let thread = Self.description(in: part, memory),
        let number = memory.half(thread &+ ThreadLayout.number)
      else { continue }
      if threads.contains(UInt(number)) {
        isLayoutKnown = true
        if part.isBehindGuard { stacks.append(index) }
      } else if used.contains(index) {
        return
      } else if number == 0, part.isBehindGuard {
        ended[index] = thread
      }
    }
    guard isLayoutKnown else { return }
    for index in stacks { parts[index].use = .stack }
    parts = parts.enumerated().flatMap { index, part -> [Part] in
      guard let thread = ended[index] else { return [part] }
      return [part.piece(part.start..<thread, .other), part.piece(thread..<part.end, part.use)]
    }
  }

  /// Returns the address of the description at the end of a stack, or in the memory of the dynamic
  /// linker.
  private static func description(in part: Part, _ memory: ProcessMemory) -> UInt? {
    let isSmall = part.end &- part.start <= ThreadLayout.maxSizeOfFirst
    guard part.isBehindGuard || isSmall else { return nil }
    let size =
      isSmall ? part.end &- part.start : min(part.end &- part.start, ThreadLayout.maxDistance)
    let first = (part.end &- size) & ~(ThreadLayout.alignment &- 1)
    return stride(from: max(first, part.start), to: part.end, by: Int(ThreadLayout.alignment))
      .first { memory.word($0) == $0 && memory.word($0 &+ ThreadLayout.ownAddress) == $0 }
  }
}

/// The numbers of the threads of a process.
package enum ThreadNumbers {
  /// Returns the numbers that the process itself sees. In a container, they are smaller.
  package static func inside(process: ProcessSource) -> Set<UInt> {
    guard let folder = process.folder else { return process.threadNumbers }
    return Set(
      ProcFile.numbers(in: "\(folder)/task").compactMap { thread in
        guard let text = ProcFile.text("\(folder)/task/\(thread)/status"),
          let line = text.split(separator: "\n").first(where: { $0.hasPrefix("NSpid:") }),
          let number = line.split(separator: "\t").last
        else { return UInt(thread) }
        return UInt(number)
      })
  }
}

extension ProcessSource {
  /// The numbers of the threads in a core file. The kernel writes those that the process itself
  /// sees.
  fileprivate var threadNumbers: Set<UInt> {
    #if os(Linux)
      Set(threads.map { UInt($0) })
    #else
      []
    #endif
  }
}
