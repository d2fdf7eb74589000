import ReactiveKit
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension LogFile {
  /// How long the file is, and whether it can become longer.
  struct Growth {
    /// Space that ordinary lines never take, so that a full disk leaves room for `lost` and `end`.
    static let reserve = 512
    static let firstChunk = 256 * 1024
    static let chunk = 1024 * 1024
    /// Newlines, as many as one call writes.
    static let padding = [UInt8](repeating: UInt8(ascii: "\n"), count: 64 * 1024)

    var size: Int
    /// The error that ended all growth.
    var failure: Int32?
    /// Set by `close`: a writer that comes late must not make the file longer.
    var isClosed = false
    /// Spaces handed out, counted up to the last growth; `cursor` shows the same modulo 2^24.
    var records = 0
    /// Memory up to here was given back: the log of a long run must not fill the memory of its program.
    var released = 0
  }

  /// Writes newlines from `offset` on, as many as `count` if the system lets it; the new size and the error if any.
  ///
  /// Asking for the limit first spares the program the signal SIGXFSZ, which would end it.
  static func pad(_ file: Int32, from offset: Int, count: Int) -> (size: Int, error: Int32) {
    var limits = rlimit()
    #if canImport(Glibc)
      getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limits)
    #else
      getrlimit(RLIMIT_FSIZE, &limits)
    #endif
    let limit = Int(clamping: limits.rlim_cur)
    var size = offset
    let goal = offset + count
    while size < goal {
      let room = min(goal, limit) - size
      guard room > 0 else { return (size, EFBIG) }
      let written = Growth.padding.withUnsafeBytes {
        pwrite(file, $0.baseAddress, min($0.count, room), off_t(size))
      }
      if written > 0 {
        size += written
      } else if errno != EINTR {
        return (size, written == 0 ? ENOSPC : errno)
      }
    }
    return (size, 0)
  }

  /// Makes sure that a line may end at `end`; false when the disk is full, which is said once.
  @inline(never)
  func growSlowPath(to end: Int) -> Bool {
    var news: Int32?
    let isRoom = growth.withLock { growth in
      while usableEnd.load(ordering: .relaxed) < end {
        if growth.failure != nil || growth.isClosed { return false }
        let error = extend(&growth, by: max(Growth.chunk, end + Growth.reserve - growth.size))
        guard error != 0, usableEnd.load(ordering: .relaxed) < end else { continue }
        growth.failure = error
        _ = state.compareExchange(
          expected: State.open, desired: State.full, ordering: .relaxed)
        news = error
        return false
      }
      return true
    }
    if let news {
      CText.complain(
        "cannot write more of the log '\(path)': \(CText.reason(news)). Records from here on are "
          + "counted as lost; the program runs on.")
    }
    return isRoom
  }

  /// Makes the file longer before it must be; failing costs nothing yet.
  @inline(never)
  func growAheadSlowPath() {
    // One of those who see the mark passed takes it away and does the work.
    guard growAt.exchange(.max, ordering: .relaxed) != .max else { return }
    growth.withLock { growth in
      guard growth.failure == nil, !growth.isClosed else { return }
      _ = extend(&growth, by: Growth.chunk)
    }
  }

  /// Brings the number of spaces up to date; growth comes long before 2^24 more.
  func countSpaces(_ growth: inout Growth, _ cursor: UInt64) {
    growth.records += Int((cursor / Self.one &- UInt64(growth.records)) % (1 << 24))
  }

  private func extend(_ growth: inout Growth, by count: Int) -> Int32 {
    countSpaces(&growth, cursor.load(ordering: .relaxed))
    let wanted = min(count, mappedSize - growth.size)
    guard wanted > 0 else { return EFBIG }
    let file = descriptor.load(ordering: .relaxed)
    let (size, error) = Self.pad(file, from: growth.size, count: wanted)
    Self.touch(base, from: growth.size, to: size)
    growth.size = size
    usableEnd.store(size - Growth.reserve, ordering: .releasing)
    if error == 0 { growAt.store(size - Growth.chunk / 2, ordering: .relaxed) }
    let old = (size - 8 * Growth.chunk) & ~(Growth.chunk - 1)
    if old > growth.released {
      // The pages stay in the file; a writer that is late by so much would fetch its page again.
      madvise(base + growth.released, old - growth.released, MADV_DONTNEED)
      growth.released = old
    }
    return error
  }

  /// Brings new pages in at once, which costs less than one fault a page; a hint only.
  private static func touch(_ base: UnsafeMutableRawPointer, from start: Int, to end: Int) {
    #if os(Linux)
      let populateForWriting: Int32 = 23
      let page = start & ~(64 * 1024 - 1)
      madvise(base + page, end - page, populateForWriting)
    #endif
  }
}
