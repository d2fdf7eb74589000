import HostSafety
import SystemLibrary
import TraceShims

/// The memory of this process, read without trusting any address.
///
/// Every read is a copy that the kernel makes (`process_vm_readv`), so an address that is not mapped
/// is an answer and no crash. A forked child would be safe too, but a fork copies the page tables,
/// runs the handlers of the program, and can fail for lack of memory.
///
/// A filter for system calls may refuse that call, or end the process. Nothing tells which, so under
/// a filter the bytes come from `/proc/self/mem` instead. The calls for that are ones that every
/// program makes. Where the file cannot be read, the bytes go through a pipe, whose writer also
/// reports a bad address instead of a crash.
///
/// The reader keeps whole pages for the time of one explanation, so a page that changes in the meantime is
/// seen as it was at first.
package final class ProcessMemory {
  package static let pageSize: UInt = 4096
  /// The number of pages that are kept at the same time, 16 MB in all.
  private static let mostPages = 4096

  private var pages: [UInt: UnsafeMutableRawPointer] = [:]
  /// The memory for copies of pages. It is mapped by itself and does not come from an allocator, so
  /// that a search never looks at the copies: they are full of what looks like objects.
  private let room: UnsafeMutableRawPointer
  private var lastPage: (number: UInt, bytes: UnsafeMutableRawPointer)?
  private var way = Way.call

  /// A way to copy memory.
  package enum Way {
    case call
    /// The descriptor of `/proc/self/mem`.
    case file(Int32)
    case pipe(read: Int32, write: Int32)

    package static let all: [@Sendable () -> Way?] = [{ .call }, file, pipe]
    /// The ways that no filter for system calls ends the process for.
    package static let harmless: [@Sendable () -> Way?] = [file, pipe]

    package static let file: @Sendable () -> Way? = {
      let file = OwnDescriptor.open("/proc/self/mem", O_RDONLY)
      return file >= 0 ? .file(file) : nil
    }

    package static let pipe: @Sendable () -> Way? = {
      var ends: [Int32] = [-1, -1]
      return trace_pipe(&ends) ? .pipe(read: ends[0], write: ends[1]) : nil
    }

    package func close() {
      switch self {
      case .call: break
      case .file(let file): _ = systemClose(file)
      case .pipe(let read, let write):
        _ = systemClose(read)
        _ = systemClose(write)
      }
    }
  }

  /// The address space that must be free for a search, in bytes. The search takes only a part of it.
  package static let neededSpace = 256 << 20

  /// Prepares to read memory. Returns nil if this system cannot copy memory safely, or if it has so
  /// little memory left that a search might take the last of it from the program.
  ///
  /// - Parameter ways: The ways to copy memory, the best first.
  package init?(ways: [@Sendable () -> Way?] = trace_has_filter() ? Way.harmless : Way.all) {
    guard let spare = Self.map(Self.neededSpace) else { return nil }
    munmap(spare, Self.neededSpace)
    guard let room = Self.map(Self.mostPages * Int(Self.pageSize)) else { return nil }
    self.room = room
    pages.reserveCapacity(Self.mostPages)
    for makeWay in ways {
      guard let way = makeWay() else { continue }
      self.way = way
      if canCopy { return }
      way.close()
      self.way = .call
    }
    return nil
  }

  /// A Boolean value that indicates whether the way to copy memory works here.
  private var canCopy: Bool {
    var probe: UInt = 0x1234_5678
    var copy: UInt = 0
    let size = MemoryLayout<UInt>.size
    return withUnsafeMutablePointer(to: &probe) { probe in
      withUnsafeMutablePointer(to: &copy) { copy in
        self.copy(from: UInt(bitPattern: probe), to: copy, count: size) == size
          && copy.pointee == probe.pointee
      }
    }
  }

  deinit {
    munmap(room, Self.mostPages * Int(Self.pageSize))
    way.close()
  }

  /// Maps memory of its own, apart from all that was mapped before.
  package static func map(_ count: Int) -> UnsafeMutableRawPointer? {
    #if os(Linux)
      let flags = MAP_PRIVATE | MAP_ANONYMOUS
    #else
      let flags = MAP_PRIVATE | MAP_ANON
    #endif
    let memory = mmap(nil, count, PROT_READ | PROT_WRITE, flags, -1, 0)
    return memory == MAP_FAILED ? nil : memory
  }

  /// Forgets the kept pages, so that what is read next is as it is now.
  package func forgetPages() {
    pages.removeAll(keepingCapacity: true)
    lastPage = nil
  }

  /// Copies memory past the kept pages. Returns the number of bytes copied from the start.
  package func copy(from address: UInt, to target: UnsafeMutableRawPointer, count: Int) -> Int {
    switch way {
    case .call: return max(0, trace_copy_memory(-1, address, target, count))
    case .file(let file): return max(0, trace_copy_memory(file, address, target, count))
    case .pipe(let read, let write):
      return copyThroughPipe(read, write, address, target, count)
    }
  }

  /// Returns the kept copy of the page with a number, or nil if it cannot be read.
  @inline(__always)
  private func page(_ number: UInt) -> UnsafeMutableRawPointer? {
    if let lastPage, lastPage.number == number { return lastPage.bytes }
    return pageSlowPath(number)
  }

  private func pageSlowPath(_ number: UInt) -> UnsafeMutableRawPointer? {
    if let known = pages[number] {
      lastPage = (number, known)
      return known
    }
    let size = Int(Self.pageSize)
    if pages.count >= Self.mostPages { forgetPages() }
    let bytes = room + pages.count * size
    guard copy(from: number * Self.pageSize, to: bytes, count: size) == size else { return nil }
    pages[number] = bytes
    lastPage = (number, bytes)
    return bytes
  }

  /// Returns the word at an address that is a multiple of 8, or nil if it cannot be read.
  @inline(__always)
  package func word(_ address: UInt) -> UInt? {
    guard address & 7 == 0, let page = page(address / Self.pageSize) else { return nil }
    return page.load(fromByteOffset: Int(address % Self.pageSize), as: UInt.self)
  }

  /// Returns the four bytes at an address that is a multiple of 4.
  package func half(_ address: UInt) -> UInt32? {
    guard address & 3 == 0, let page = page(address / Self.pageSize) else { return nil }
    return page.load(fromByteOffset: Int(address % Self.pageSize), as: UInt32.self)
  }

  /// Copies a part of the kept pages to `target`. Returns whether all of it could be read.
  package func read(_ address: UInt, into target: UnsafeMutableRawPointer, count: Int) -> Bool {
    var done = 0
    while done < count {
      let (at, overflows) = address.addingReportingOverflow(UInt(done))
      guard !overflows, let page = page(at / Self.pageSize) else { return false }
      let offset = Int(at % Self.pageSize)
      let part = min(count - done, Int(Self.pageSize) - offset)
      (target + done).copyMemory(from: page + offset, byteCount: part)
      done += part
    }
    return true
  }

  /// Returns the text at an address up to the first NUL, or nil if it is longer than `limit` bytes
  /// or cannot be read.
  package func text(_ address: UInt, limit: Int = 512) -> String? {
    var bytes: [UInt8] = []
    while bytes.count < limit {
      let at = address &+ UInt(bytes.count)
      guard let page = page(at / Self.pageSize) else { return nil }
      let byte = page.load(fromByteOffset: Int(at % Self.pageSize), as: UInt8.self)
      if byte == 0 { return String(decoding: bytes, as: UTF8.self) }
      bytes.append(byte)
    }
    return nil
  }

  // MARK: The pipe

  private func copyThroughPipe(
    _ reader: Int32, _ writer: Int32, _ address: UInt, _ target: UnsafeMutableRawPointer,
    _ count: Int
  ) -> Int {
    guard address != 0 else { return 0 }
    var done = 0
    while done < count {
      // A pipe takes a page at once, and a page is either mapped or not.
      let left = Int(Self.pageSize - (address &+ UInt(done)) % Self.pageSize)
      let part = min(count - done, left)
      let written = trace_pipe_write(writer, address &+ UInt(done), part)
      guard written > 0 else { return done }
      var received = 0
      while received < written {
        let got = systemRead(reader, target + done + received, written - received)
        guard got > 0 else { return done }
        received += got
      }
      done += written
      if written < part { return done }
    }
    return done
  }
}
