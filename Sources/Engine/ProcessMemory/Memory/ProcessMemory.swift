import CRuntime.OwnProcess
import SwiftRuntime
import SystemLibrary

/// The memory of a process, read without trusting any address: of this process now or at an earlier
/// time, of another one that the system allows to read, or of one that a core file describes.
///
/// The kernel makes a copy for every read (`process_vm_readv`), so an unmapped address leads to an
/// error instead of a crash. A forked child would be safe too, but a fork copies the page tables,
/// runs the program's fork handlers, and can fail for lack of memory.
///
/// A filter for system calls may refuse that call or kill the process, and there is no way to find
/// out which. So under a filter, the bytes come from `/proc/self/mem` instead, with calls that
/// every program makes. If the file can't be read, the bytes go through a pipe. Writing to it also
/// reports a bad address instead of crashing.
///
/// The reader caches whole pages during one explanation, so it doesn't see later changes to a page.
package final class ProcessMemory {
  @inlinable package static var pageSize: UInt { 4096 }
  /// The maximum number of cached pages, 16 MB in total.
  private static let maxPages = 4096

  private var pages: [UInt: UnsafeMutableRawPointer] = [:]
  /// The memory for copies of pages. It has its own mapping instead of a block of an allocator, so
  /// that no search mistakes the copies for objects.
  private let room: UnsafeMutableRawPointer
  /// The number of pages in `room` that are in use.
  private var usedRoom = 0
  /// The number of pages to copy after each page that is needed, for addresses that are read in
  /// ascending order.
  var readAhead = 0
  @usableFromInline var lastPage: (number: UInt, bytes: UnsafeMutableRawPointer)?
  private var method = ReadMethod.call
  package let process: ProcessSource

  /// A method to copy memory.
  package enum ReadMethod {
    case call
    /// A system call that reads another process.
    case process(Int32)
    /// The descriptor of `/proc/self/mem`.
    case file(Int32)
    case pipe(read: Int32, write: Int32)
    case snapshot(MemorySnapshot)
    #if os(Linux)
      case core(any RecordedProcess)
    #endif

    static let all: [@Sendable () -> ReadMethod?] = [{ .call }, file, pipe]
    /// The methods for which a system call filter doesn't kill the process.
    static let harmless: [@Sendable () -> ReadMethod?] = [file, pipe]

    static let file: @Sendable () -> ReadMethod? = {
      let file = OwnDescriptor.open("/proc/self/mem", O_RDONLY)
      return file >= 0 ? .file(file) : nil
    }

    static let pipe: @Sendable () -> ReadMethod? = {
      var ends: [Int32] = [-1, -1]
      return trace_pipe(&ends) ? .pipe(read: ends[0], write: ends[1]) : nil
    }

    /// The methods to read another process.
    static func methods(toRead process: Int32) -> [@Sendable () -> ReadMethod?] {
      [
        { .process(process) },
        {
          let file = OwnDescriptor.open("/proc/\(process)/mem", O_RDONLY)
          return file >= 0 ? .file(file) : nil
        },
      ]
    }

    func close() {
      switch self {
      case .call, .process, .snapshot: break
      #if os(Linux)
        case .core: break
      #endif
      case .file(let file): _ = systemClose(file)
      case .pipe(let read, let write):
        _ = systemClose(read)
        _ = systemClose(write)
      }
    }
  }

  /// The address space that must be free for a search, in bytes. The search uses only a part of it.
  package static let neededSpace = 256 << 20

  /// Prepares to read the memory of this process. Returns nil if this system can't copy memory
  /// safely, or if so little memory is left that a search could use up the program's memory.
  ///
  /// - Parameter methods: The methods to copy memory, best first.
  package convenience init?(
    methods: [@Sendable () -> ReadMethod?] = trace_has_filter()
      ? ReadMethod.harmless : ReadMethod.all
  ) {
    self.init(methods.lazy.map { $0() }, process: .own) { $0.canCopy }
  }

  /// Prepares to read the memory of another process, which continues to run. Returns nil if the
  /// system doesn't allow that.
  ///
  /// - Parameter address: An address that can be read in that process.
  package convenience init?(ofProcess process: Int32, probing address: UInt) {
    self.init(
      ReadMethod.methods(toRead: process).lazy.map { $0() }, process: .other(process)
    ) { memory in
      var word: UInt = 0
      let size = MemoryLayout<UInt>.size
      return memory.copy(from: address, to: &word, count: size) == size
    }
  }

  /// A reader of this process, or nil if that isn't possible now.
  package static var ofThisProcess: ProcessMemory? { ProcessMemory() }

  /// Prepares to read the memory that this process had.
  package convenience init?(_ snapshot: MemorySnapshot) {
    self.init([.snapshot(snapshot)], process: .own) { _ in true }
  }

  /// The numbers of the threads that the process has, or had when the memory was copied.
  package var threadNumbers: Set<UInt> {
    if case .snapshot(let snapshot) = method { return snapshot.threads }
    return ThreadNumbers.inside(process: process)
  }

  #if os(Linux)
    /// Prepares to read the memory of another process whose list of parts is known.
    package convenience init?(ofProcess process: Int32, mappedBy map: MemoryMap) {
      guard let first = map.parts.first else { return nil }
      self.init(ofProcess: process, probing: first.start)
    }

    /// Prepares to read the memory in a core file.
    package convenience init?(_ core: any RecordedProcess) {
      self.init([.core(core)], process: .core(core)) { _ in true }
    }
  #endif

  /// Prepares to read memory in the first of the methods that works.
  private init?(
    _ methods: some Sequence<ReadMethod?>, process: ProcessSource, works: (ProcessMemory) -> Bool
  ) {
    guard let spare = Self.map(Self.neededSpace) else { return nil }
    Self.unmap(spare, Self.neededSpace)
    guard let room = Self.map(Self.maxPages * Int(Self.pageSize)) else { return nil }
    self.room = room
    self.process = process
    pages.reserveCapacity(Self.maxPages)
    for case let method? in methods {
      self.method = method
      if works(self) { return }
      method.close()
      self.method = .call
    }
    return nil
  }

  /// A Boolean value that indicates whether the method to copy memory works here.
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
    Self.unmap(room, Self.maxPages * Int(Self.pageSize))
    method.close()
  }

  /// Maps new memory that no search reads, not even a simultaneous search of another thread. For
  /// other processes, the kernel lists it as shared, and the objects of programs are in private
  /// memory.
  package static func map(_ count: Int) -> UnsafeMutableRawPointer? {
    #if os(Linux)
      let flags = MAP_SHARED | MAP_ANONYMOUS
    #else
      let flags = MAP_SHARED | MAP_ANON
    #endif
    let memory = mmap(nil, count, PROT_READ | PROT_WRITE, flags, -1, 0)
    guard let memory, memory != MAP_FAILED else { return nil }
    _ = trace_note_mapping(UInt(bitPattern: memory), UInt(count))
    return memory
  }

  /// Unmaps memory of `map`.
  package static func unmap(_ memory: UnsafeMutableRawPointer, _ count: Int) {
    trace_forget_mapping(UInt(bitPattern: memory))
    munmap(memory, count)
  }

  /// Returns whether `map` made the memory at an address of this process.
  package static func isOwn(_ address: UInt) -> Bool { trace_is_in_own_mapping(address) }

  /// Clears the cached pages, so that the next reads return the current contents.
  package func forgetPages() {
    pages.removeAll(keepingCapacity: true)
    usedRoom = 0
    lastPage = nil
  }

  /// Copies memory without the cache. Returns the number of bytes copied from the start.
  package func copy(from address: UInt, to target: UnsafeMutableRawPointer, count: Int) -> Int {
    switch method {
    case .call: return max(0, trace_copy_memory(-1, address, target, count))
    case .process(let process):
      return max(0, trace_copy_memory_of(process, address, target, count))
    case .file(let file): return max(0, trace_copy_memory(file, address, target, count))
    case .pipe(let read, let write):
      return copyThroughPipe(read, write, address, target, count)
    case .snapshot(let snapshot): return snapshot.copy(from: address, to: target, count: count)
    #if os(Linux)
      case .core(let core): return core.copy(from: address, to: target, count: count)
    #endif
    }
  }

  /// Returns the cached copy of the page with a number, or nil if it can't be read.
  @inlinable @inline(__always)
  func page(_ number: UInt) -> UnsafeMutableRawPointer? {
    if let lastPage, lastPage.number == number { return lastPage.bytes }
    return pageSlowPath(number)
  }

  @usableFromInline
  func pageSlowPath(_ number: UInt) -> UnsafeMutableRawPointer? {
    if let known = pages[number] {
      lastPage = (number, known)
      return known
    }
    let size = Int(Self.pageSize)
    let wanted = 1 + min(readAhead, Int(UInt.max / Self.pageSize - number))
    if usedRoom + wanted > Self.maxPages { forgetPages() }
    let bytes = room + usedRoom * size
    let copied = copy(from: number * Self.pageSize, to: bytes, count: wanted * size) / size
    guard copied > 0 else { return nil }
    usedRoom += copied
    for index in 0..<copied where index == 0 || pages[number + UInt(index)] == nil {
      pages[number + UInt(index)] = bytes + index * size
    }
    lastPage = (number, bytes)
    return bytes
  }

  /// Returns the word at an address that is a multiple of 8, or nil if it can't be read.
  @inlinable @inline(__always)
  package func word(_ address: UInt) -> UInt? {
    guard address & 7 == 0, let page = page(address / Self.pageSize) else { return nil }
    return page.load(fromByteOffset: Int(address % Self.pageSize), as: UInt.self)
  }

  /// Returns the four bytes at an address that is a multiple of 4.
  @inlinable
  package func half(_ address: UInt) -> UInt32? {
    guard address & 3 == 0, let page = page(address / Self.pageSize) else { return nil }
    return page.load(fromByteOffset: Int(address % Self.pageSize), as: UInt32.self)
  }

  /// Copies memory to `target` through the cached pages. Returns whether all of it could be read.
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
  /// or can't be read.
  package func text(_ address: UInt, limit: Int = 512) -> String? {
    guard let (bytes, isComplete) = textBytes(address, limit: limit), isComplete else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the text at an address up to the first NUL, or nil if it can't be read. Of a text that
  /// is longer than `limit` bytes, it returns the beginning with an ellipsis.
  func textBeginning(_ address: UInt, limit: Int) -> String? {
    guard let (bytes, isComplete) = textBytes(address, limit: limit) else { return nil }
    return isComplete ? String(decoding: bytes, as: UTF8.self) : TaskName.cut(bytes)
  }

  private func textBytes(_ address: UInt, limit: Int) -> (bytes: [UInt8], isComplete: Bool)? {
    var bytes: [UInt8] = []
    while bytes.count < limit {
      let at = address &+ UInt(bytes.count)
      guard let page = page(at / Self.pageSize) else { return nil }
      let byte = page.load(fromByteOffset: Int(at % Self.pageSize), as: UInt8.self)
      if byte == 0 { return (bytes, true) }
      bytes.append(byte)
    }
    return (bytes, false)
  }

  // MARK: The pipe

  private func copyThroughPipe(
    _ reader: Int32, _ writer: Int32, _ address: UInt, _ target: UnsafeMutableRawPointer,
    _ count: Int
  ) -> Int {
    guard address != 0 else { return 0 }
    var done = 0
    while done < count {
      // A pipe accepts a whole page in one write, and a page is either mapped or not.
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
