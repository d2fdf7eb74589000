import HostSafety
import SystemLibrary

/// Which pages of a process have content (`/proc/PID/pagemap` in proc(5)).
///
/// A read of a page that the program has never touched makes the system map one, and takes longer
/// than skipping it. A process with 1,000 threads has 8 GB of stacks, of which a few MB are in use.
package final class PageTable {
  #if os(Linux)
    private let file: Int32
    private var entries: [UInt64] = []
  #endif

  /// Opens the table of a process, or of this one if `process` is nil. Returns nil if the system
  /// doesn't have one.
  package init?(_ process: Int32?) {
    #if os(Linux)
      file = OwnDescriptor.open("/proc/\(process.map(String.init) ?? "self")/pagemap", O_RDONLY)
      guard file >= 0 else { return nil }
    #else
      return nil
    #endif
  }

  #if os(Linux)
    deinit { _ = systemClose(file) }

    /// The bits of a page in memory, and of one that was moved to other storage.
    private static let hasContent: UInt64 = 0b11 << 62
  #endif

  /// Calls `body` with the parts of a range that have content. Both ends of the range are multiples
  /// of the size of a page. Without information, a part counts as one with content.
  package func forEachPart(of range: Range<UInt>, _ body: (Range<UInt>) -> Void) {
    #if os(Linux)
      let size = ProcessMemory.pageSize
      let count = range.count / Int(size)
      if entries.count < count { entries = [UInt64](repeating: 0, count: count) }
      let read = entries.withUnsafeMutableBytes { bytes -> Int in
        guard lseek(file, Int(range.lowerBound / size) * 8, SEEK_SET) >= 0 else { return 0 }
        return max(0, systemRead(file, bytes.baseAddress, count * 8)) / 8
      }
      var start: UInt?
      for index in 0..<count {
        let address = range.lowerBound + UInt(index) * size
        let isFull = index >= read || entries[index] & Self.hasContent != 0
        if isFull, start == nil { start = address }
        if !isFull, let from = start {
          body(from..<address)
          start = nil
        }
      }
      if let start { body(start..<range.upperBound) }
    #else
      body(range)
    #endif
  }
}
