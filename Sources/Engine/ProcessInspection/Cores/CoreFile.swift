#if os(Linux)
  import CodeLocations
  import ProcessMemory
  import SystemLibrary

  /// The memory and the threads of a process at one moment, in a file that the kernel writes when a
  /// program crashes (core(5)), or that a debugger writes.
  ///
  /// The kernel leaves out what it can read again: the parts of the program and its libraries that
  /// the process hasn't changed. These bytes come from the files themselves, if they are the same.
  /// Nothing in a core file is trusted.
  package final class CoreFile: RecordedProcess {
    /// The reasons why a file can't be read.
    package enum Failure: Error, Equatable, Sendable {
      /// The number of the system's error.
      case cannotOpen(Int32)
      case notACore
      case otherArchitecture
      /// The file doesn't have the descriptions of the process and its threads, or isn't complete
      /// enough to have them.
      case noNotes
    }

    /// The program or a library of the process.
    package struct Image: Sendable {
      /// The path as the process saw it.
      package let path: String
      /// The path at which the file is now.
      package let file: String
      /// The reason why the file isn't used, or nil if it is the one that the process had.
      package let problem: Problem?
    }

    /// The reasons why the file of a program or a library isn't used.
    package enum Problem: Equatable, Sendable {
      /// It can't be opened.
      case missing
      /// It isn't the file that the process had.
      case different
      /// The core file doesn't have the bytes with which it could be compared.
      case unknown
    }

    /// Bytes of memory that are in a file.
    private struct Piece {
      let range: Range<UInt>
      let file: Int32
      let offset: UInt64
      /// A Boolean value that indicates whether memory after the end of the file is zero.
      let isOfImage: Bool
    }

    package let notes: CoreNotes
    package let images: [Image]
    /// The path of the program as the process saw it, or nil if it isn't known.
    package let program: String?
    /// The parts of the memory, in the format of `/proc/PID/maps`.
    package let list: [UInt8]
    /// A Boolean value that indicates whether the file ends before the memory that it describes.
    package let isTruncated: Bool
    /// A Boolean value that indicates whether the file describes memory that can't be: two parts
    /// at the same address or at the same place of the file, a part that is larger in the file,
    /// parts that aren't in the order of their addresses, or parts that aren't where the notes say.
    /// Some of such parts are left out.
    package let isDamaged: Bool
    private let isMemoryLeftOut: Bool
    private let pieces: [Piece]
    private let descriptors: [Int32]

    /// The kinds of positions that lseek(2) looks for.
    private enum Seek {
      static let data: Int32 = 3
      static let hole: Int32 = 4
    }

    /// The maximum size of all notes, in bytes.
    private static let maxNotes: UInt64 = 1 << 26

    /// Opens a core file, and the program and the libraries of its process.
    ///
    /// - Parameter root: The folder with the file system of the process, or an empty string.
    package init(_ path: String, root: String = "") throws(Failure) {
      let descriptor = RawPath.with(path) {
        open($0, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
      }
      guard descriptor >= 0 else { throw .cannotOpen(errno) }
      var opened = [descriptor]
      do throws(Failure) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
          throw .notACore
        }
        let size = UInt64(max(0, status.st_size))
        let read = { (offset: UInt64, count: Int) in Self.bytes(descriptor, at: offset, count) }
        let header = read(0, min(ElfLayout.headerSize, Int(size))) ?? []
        guard ElfHead.isCore(header) else { throw .notACore }
        guard ElfLayout.isForThisArchitecture(header) else { throw .otherArchitecture }
        guard let head = ElfHead(read) else { throw .noNotes }
        let segments = CoreSegment.all(in: head)
        let content = head.parts.filter(\.hasNotes).prefix(16).compactMap { part in
          part.fileSize <= Self.maxNotes ? read(part.offset, Int(part.fileSize)) : nil
        }
        guard var notes = CoreNotes(content.flatMap { ElfNote.all(in: $0) }) else {
          throw .noNotes
        }
        isTruncated = segments.contains { $0.offset > size || $0.fileSize > size - $0.offset }
        let own = segments.compactMap { segment -> Piece? in
          guard segment.fileSize > 0, segment.offset < size else { return nil }
          let count = UInt(min(segment.fileSize, size - segment.offset))
          return Piece(
            range: segment.start..<segment.start + count, file: descriptor,
            offset: segment.offset, isOfImage: false)
        }
        let files = CoreImages(
          notes.mappings, segments, root: root,
          memory: { address, count in Self.bytes(own, at: address, count) })
        isDamaged =
          CoreSegment.areDamaged(in: head) || !CoreSegment.agree(segments, with: notes)
          || files.lacksVariables
        isMemoryLeftOut = segments.contains { segment in
          segment.flags & ElfLayout.Program.isWritable != 0
            && UInt(segment.fileSize) < segment.end - segment.start
            && !notes.mappings.contains { $0.range.contains(segment.start) }
        }
        opened += files.descriptors
        images = files.images
        program = notes.entry.flatMap { entry in
          notes.mappings.first { $0.range.contains(entry) }.map { files.name($0.path) }
        }
        list = files.list(stackAt: notes.executedName)
        var pieces = own
        for part in files.missingParts {
          pieces.append(
            Piece(range: part.range, file: part.file, offset: part.offset, isOfImage: true))
        }
        pieces.sort { $0.range.lowerBound < $1.range.lowerBound }
        notes.findCalls { address in
          Self.bytes(pieces, at: address, 4).map { UInt32($0.number(0, 4)) }
        }
        self.notes = notes
        self.pieces = pieces
        descriptors = opened
      } catch {
        for file in opened { _ = systemClose(file) }
        throw error
      }
    }

    deinit { for file in descriptors { _ = systemClose(file) } }

    /// A Boolean value that indicates whether memory that the process has changed was left out:
    /// the stacks of all threads (`coredump_filter` in core(5)), or a writable part without a file
    /// (`MADV_DONTDUMP` in madvise(2)).
    package var lacksMemory: Bool {
      isMemoryLeftOut
        || !notes.threads.contains { thread in
          guard let piece = Self.piece(at: thread.stackPointer, pieces) else { return false }
          return !piece.isOfImage
        }
    }

    package var number: Int32 { notes.process }
    package var threadNumbers: [Int32] { notes.threads.map(\.number) }

    package var openableFiles: [String: String] {
      Dictionary(
        images.filter { $0.problem == nil }.map { ($0.path, $0.file) },
        uniquingKeysWith: { first, _ in first })
    }

    package func call(
      of thread: Int32
    ) -> (number: Int, arguments: [UInt], stackPointer: UInt, pc: UInt)? {
      guard let found = notes.threads.first(where: { $0.number == thread }),
        let call = found.call
      else { return nil }
      return (call, found.arguments, found.stackPointer, found.pc)
    }

    /// Copies memory. Returns the number of bytes copied from the start.
    package func copy(from address: UInt, to target: UnsafeMutableRawPointer, count: Int) -> Int {
      Self.copy(pieces, from: address, to: target, count)
    }

    /// Calls `body` with the parts of a range that have content, in order. A part without content
    /// is a hole in the file, and zero.
    package func forEachPart(
      of range: Range<UInt>, while isInTime: () -> Bool, _ body: (Range<UInt>) -> Void
    ) {
      var at = range.lowerBound
      while at < range.upperBound, isInTime() {
        let index = Self.index(of: at, pieces)
        guard index < pieces.count else { return }
        let piece = pieces[index]
        guard piece.range.contains(at) else {
          at = piece.range.lowerBound
          continue
        }
        let end = min(range.upperBound, piece.range.upperBound)
        defer { at = end }
        let position = off_t(piece.offset) + off_t(at - piece.range.lowerBound)
        var (start, done) = (position, at)
        let last = position + off_t(end - at)
        while start < last, isInTime() {
          let data = lseek(piece.file, start, Seek.data)
          // Without holes, everything is content.
          let from = data < 0 ? (errno == ENXIO ? last : start) : data
          guard from < last else { break }
          let hole = data < 0 ? last : lseek(piece.file, from, Seek.hole)
          let to = hole <= from ? last : min(hole, last)
          let mask = ProcessMemory.pageSize - 1
          // Pages of the file can begin in the middle of those of the memory.
          let first = max(done, (at + UInt(from - position)) & ~mask)
          let next = min(end, (at + UInt(to - position) + mask) & ~mask)
          if first < next { body(first..<next) }
          (start, done) = (to, max(done, next))
        }
      }
    }

    /// Returns the index of the first piece that ends after an address.
    private static func index(of address: UInt, _ pieces: [Piece]) -> Int {
      var (low, high) = (0, pieces.count)
      while low < high {
        let middle = (low + high) / 2
        if pieces[middle].range.upperBound <= address { low = middle + 1 } else { high = middle }
      }
      return low
    }

    private static func piece(at address: UInt, _ pieces: [Piece]) -> Piece? {
      let index = index(of: address, pieces)
      return index < pieces.count && pieces[index].range.contains(address) ? pieces[index] : nil
    }

    private static func copy(
      _ pieces: [Piece], from address: UInt, to target: UnsafeMutableRawPointer, _ count: Int
    ) -> Int {
      var done = 0
      while done < count {
        let (at, overflows) = address.addingReportingOverflow(UInt(done))
        guard !overflows, let piece = piece(at: at, pieces) else { break }
        let part = min(count - done, Int(piece.range.upperBound - at))
        let offset = piece.offset + UInt64(at - piece.range.lowerBound)
        let copied = read(piece.file, at: offset, to: target + done, part)
        done += copied
        guard copied < part else { continue }
        guard piece.isOfImage else { break }
        memset(target + done, 0, part - copied)
        done += part - copied
      }
      return done
    }

    private static func read(
      _ file: Int32, at offset: UInt64, to target: UnsafeMutableRawPointer, _ count: Int
    ) -> Int {
      var done = 0
      while done < count {
        let part = pread(file, target + done, count - done, off_t(offset) + off_t(done))
        if part < 0, errno == EINTR { continue }
        guard part > 0 else { break }
        done += part
      }
      return done
    }

    /// Returns bytes of a file, or nil if not all of them can be read.
    static func bytes(_ file: Int32, at offset: UInt64, _ count: Int) -> [UInt8]? {
      guard count > 0, count <= 1 << 28, offset <= UInt64(Int64.max) - UInt64(count) else {
        return nil
      }
      // A damaged file can state any size.
      var status = stat()
      guard fstat(file, &status) == 0, offset + UInt64(count) <= UInt64(max(0, status.st_size))
      else { return nil }
      let all = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
        initialized = buffer.baseAddress.map { read(file, at: offset, to: $0, count) } ?? 0
      }
      return all.count == count ? all : nil
    }

    /// Returns bytes of memory, or nil if not all of them are in the core file.
    private static func bytes(_ pieces: [Piece], at address: UInt, _ count: Int) -> [UInt8]? {
      guard count > 0, count <= 1 << 20 else { return nil }
      let all = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
        initialized =
          buffer.baseAddress.map { copy(pieces, from: address, to: $0, count) } ?? 0
      }
      return all.count == count ? all : nil
    }
  }

  /// A part of the memory, as the program headers of a core file describe it.
  struct CoreSegment {
    let start: UInt
    let end: UInt
    let offset: UInt64
    /// The number of bytes in the file.
    let fileSize: UInt64
    let flags: UInt32

    /// Returns whether there are parts that can't be, two parts share bytes of the file, a part
    /// ends within a page, or the parts aren't in the order of their addresses, as ELF requires
    /// and as the kernel and debuggers write them.
    static func areDamaged(in head: ElfHead) -> Bool {
      let addresses = head.parts.filter { $0.isLoaded && $0.memorySize > 0 }.map(\.address)
      // The kernel and debuggers write no other kind of part.
      guard head.parts.allSatisfy({ $0.isLoaded || $0.hasNotes }),
        all(in: head).count == addresses.count,
        zip(addresses, addresses.dropFirst()).allSatisfy({ $0 < $1 })
      else { return true }
      let contents = head.parts.filter { ($0.isLoaded || $0.hasNotes) && $0.fileSize > 0 }
      var end = UInt64(ElfLayout.headerSize)
      for part in contents.sorted(by: { $0.offset < $1.offset }) {
        let isWhole = !part.isLoaded || UInt(part.fileSize) & (ProcessMemory.pageSize - 1) == 0
        guard part.offset >= end, isWhole else { return true }
        end = part.offset.addingReportingOverflow(part.fileSize).partialValue
      }
      return false
    }

    /// Returns whether each mapped file that has a part begins with it, and whether the stack of
    /// each thread is in a part.
    static func agree(_ segments: [CoreSegment], with notes: CoreNotes) -> Bool {
      var rest = segments[...]
      for mapping in notes.mappings {
        rest = rest.drop { $0.end <= mapping.range.lowerBound }
        guard let next = rest.first else { break }
        guard next.start == mapping.range.lowerBound || next.start >= mapping.range.upperBound
        else { return false }
      }
      rest = segments[...]
      return notes.threads.map(\.stackPointer).sorted().allSatisfy { stack in
        rest = rest.drop { $0.end <= stack }
        return rest.first.map { $0.start <= stack } ?? false
      }
    }

    /// Returns the parts in order, without those that can't be.
    static func all(in head: ElfHead) -> [CoreSegment] {
      let found = head.parts.compactMap { part -> CoreSegment? in
        let start = UInt(part.address)
        guard part.isLoaded, part.memorySize > 0, part.fileSize <= part.memorySize,
          UInt(part.memorySize) <= UInt.max - start,
          part.fileSize < UInt64(Int64.max), part.offset <= UInt64(Int64.max) - part.fileSize,
          start & (ProcessMemory.pageSize - 1) == 0
        else { return nil }
        return CoreSegment(
          start: start, end: start + UInt(part.memorySize), offset: part.offset,
          fileSize: part.fileSize, flags: part.flags)
      }
      var end: UInt = 0
      return found.sorted { $0.start < $1.start }.filter { segment in
        guard segment.start >= end else { return false }
        end = segment.end
        return true
      }
    }
  }
#endif
