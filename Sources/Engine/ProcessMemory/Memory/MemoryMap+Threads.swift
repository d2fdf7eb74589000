import CRuntime.OwnProcess
import SystemLibrary

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
    var descriptions: [Range<UInt>] = []
    for (index, part) in parts.enumerated() where part.use == .heap {
      guard let thread = Self.description(in: part, memory),
        let number = memory.half(thread &+ ThreadDescription.number)
      else { continue }
      if threads.contains(UInt(number)) {
        isLayoutKnown = true
        descriptions.append(thread..<min(thread &+ ThreadDescription.size, part.end))
        if part.isBehindGuard { stacks.append(index) }
      } else if used.contains(index) {
        return
      } else if ThreadDescription.endNumbers.contains(number), part.isBehindGuard {
        ended[index] = thread
      }
    }
    guard isLayoutKnown else { return }
    threadDescriptions = descriptions
    for index in stacks {
      parts[index].use = .stack
      parts[index].hasRemains = true
    }
    parts = parts.enumerated().flatMap { index, part -> [Part] in
      guard let thread = ended[index] else { return [part] }
      return [part.piece(part.start..<thread, .other), part.piece(thread..<part.end, part.use)]
    }
  }

  /// The maximum size of the memory that the dynamic linker makes for the description of the first
  /// thread.
  private static let maxSizeOfFirst: UInt = 1 << 18

  /// Returns the address of the description at the end of a stack, or in the memory of the dynamic
  /// linker.
  private static func description(in part: Part, _ memory: ProcessMemory) -> UInt? {
    guard part.end &- part.start > maxSizeOfFirst else {
      return stride(
        from: part.start, to: part.end, by: Int(ThreadDescription.alignment)
      ).first { ThreadDescription.isOne($0, memory) }
    }
    return part.isBehindGuard ? ThreadDescription.last(in: part.start..<part.end, memory) : nil
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
