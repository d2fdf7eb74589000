import CRuntime.OwnProcess
import SystemLibrary

/// Which pages of a process have content (`/proc/PID/pagemap` in proc(5)).
///
/// A read of a page that the program has never touched makes the system map one, and takes longer
/// than skipping it. A process with 1,000 threads has 8 GB of stacks, and a traced one maps 64 GB
/// for its log. A few MB of them are in use.
///
/// Asking the system for ranges instead of the entries of all pages, `trace-viewer leaks` takes
/// 0.13 instead of 0.30 seconds for a traced process, and 58 instead of 190 MB.
package final class PageTable {
  #if os(Linux)
    private let file: Int32
    /// The core file that is read instead of a table.
    private let core: (any RecordedProcess)?
    /// A Boolean value that indicates whether the system may be asked for parts. A filter for calls
    /// of the system can end a process at a request that few programs make.
    private let canScan = !trace_has_filter()
    private var parts: [trace_pages]
    private var entries: [UInt64] = []
  #endif

  /// Opens the table of a process. Returns nil if the system doesn't have one.
  package init?(_ process: ProcessSource) {
    #if os(Linux)
      parts = Array(repeating: trace_pages(), count: Self.maxParts)
      guard let folder = process.folder else {
        guard case .core(let core) = process else { return nil }
        self.core = core
        file = -1
        return
      }
      core = nil
      file = OwnDescriptor.open("\(folder)/pagemap", O_RDONLY)
      guard file >= 0 else { return nil }
    #else
      return nil
    #endif
  }

  #if os(Linux)
    deinit { if file >= 0 { _ = systemClose(file) } }

    /// The maximum number of parts that one request of the system returns.
    private static let maxParts = 256
    /// The number of entries that are read at a time.
    private static let maxEntries = 8192
    /// The bits of a page in memory, and of one that was moved to other storage.
    private static let hasContent: UInt64 = 0b11 << 62
  #endif

  /// Calls `body` with the parts of a range that have content, in order. Without information, a
  /// part counts as one with content.
  ///
  /// - Parameter isInTime: If it returns false, the rest is left out. The table of a TB of memory
  ///   has 2 GB.
  package func forEachPart(
    of range: Range<UInt>, while isInTime: () -> Bool, _ body: (Range<UInt>) -> Void
  ) {
    #if os(Linux)
      let page = ProcessMemory.pageSize
      let end = (range.upperBound &+ page &- 1) & ~(page &- 1)
      var start = range.lowerBound & ~(page &- 1)
      func clamped(_ part: Range<UInt>) { body(part.clamped(to: range)) }
      if let core { return core.forEachPart(of: start..<end, while: isInTime, clamped) }
      while start < end, isInTime() {
        guard canScan, let next = scan(start..<end, clamped) else {
          return readEntries(of: start..<end, while: isInTime, clamped)
        }
        start = next
      }
    #else
      body(range)
    #endif
  }

  #if os(Linux)
    /// Calls `body` with the first parts. Returns the end of what it has looked at, or nil if the
    /// system only has a table.
    private func scan(_ range: Range<UInt>, _ body: (Range<UInt>) -> Void) -> UInt? {
      var end: UInt64 = 0
      let count = trace_find_pages(
        file, UInt64(range.lowerBound), UInt64(range.upperBound), &parts, parts.count, &end)
      guard count >= 0, end > UInt64(range.lowerBound) else { return nil }
      for part in parts.prefix(count) { body(UInt(part.start)..<UInt(part.end)) }
      return UInt(end)
    }

    /// Calls `body` with the parts, and looks at the entry of each page.
    func readEntries(
      of range: Range<UInt>, while isInTime: () -> Bool, _ body: (Range<UInt>) -> Void
    ) {
      let size = ProcessMemory.pageSize
      if entries.isEmpty { entries = [UInt64](repeating: 0, count: Self.maxEntries) }
      var next = range.lowerBound
      var start: UInt?
      while next < range.upperBound, isInTime() {
        let count = min(Self.maxEntries, Int((range.upperBound - next + size - 1) / size))
        let read = entries.withUnsafeMutableBytes { bytes -> Int in
          guard lseek(file, Int(next / size) * 8, SEEK_SET) >= 0 else { return 0 }
          return max(0, systemRead(file, bytes.baseAddress, count * 8)) / 8
        }
        for index in 0..<count {
          let address = next + UInt(index) * size
          let isFull = index >= read || entries[index] & Self.hasContent != 0
          if isFull, start == nil { start = address }
          if !isFull, let from = start {
            body(from..<address)
            start = nil
          }
        }
        next += UInt(count) * size
      }
      if let start { body(start..<min(next, range.upperBound)) }
    }
  #endif
}
