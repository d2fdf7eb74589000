import CRuntime.OwnProcess
import CodeLocations
import SystemLibrary

/// The mapped parts of the address space, from the kernel's list.
package struct MemoryMap: Sendable {
  /// The use of a part, which determines whether it can have references.
  package enum Use {
    /// Memory of allocators: writable, private and without a file.
    case heap
    /// Variables of the program or of a library.
    case variables
    case stack
    case code
    case other
  }

  package struct Part {
    package let start: UInt
    package let end: UInt
    package var use: Use
    package let isWritable: Bool
    /// The path of the mapped file, or nil if there isn't one.
    package fileprivate(set) var path: String?
    /// A Boolean value that indicates whether other processes can have the same memory.
    package let isShared: Bool
    /// A Boolean value that indicates whether the memory is neither that of a file nor the
    /// kernel's.
    package let isAnonymous: Bool
    /// A Boolean value that indicates whether the part comes right after an inaccessible guard
    /// area, like the stack of a thread.
    var isBehindGuard = false
    /// A Boolean value that indicates whether the part is the stack of a thread whose stack pointer
    /// isn't known, so that it also has remains of functions that have returned.
    package internal(set) var hasRemains = false
    package func contains(_ address: UInt) -> Bool { start <= address && address < end }

    func piece(_ range: Range<UInt>, _ use: Use) -> Part {
      Part(
        start: range.lowerBound, end: range.upperBound, use: use, isWritable: isWritable,
        path: path, isShared: isShared, isAnonymous: isAnonymous,
        isBehindGuard: isBehindGuard && range.lowerBound == start)
    }
  }

  /// The end of the addresses that the kernel doesn't map, to catch null pointers (the default of
  /// `vm.mmap_min_addr`).
  package static let lowestAddress: UInt = 0x10000
  /// The maximum size of a part that counts as heap, in bytes.
  package static let largestHeap: UInt = 1 << 36
  /// The maximum size of a stack's guard area, in bytes. The areas that an allocator reserves are
  /// larger.
  private static let largestGuard: UInt = 1 << 16
  /// The maximum size of the kernel's list that is read, in bytes.
  package static let maxListSize = 1 << 26
  /// The end of the most recently read guard area.
  private var guardEnd: UInt = 0

  package internal(set) var parts: [Part] = []
  /// Where the C library describes threads that haven't ended. A description has the argument of
  /// the thread's function, and the values of keys (`pthread_setspecific`).
  package internal(set) var threadDescriptions: [Range<UInt>] = []

  /// Reads the list of this process. Returns nil if the system doesn't provide one.
  package init?() { self.init(ofProcess: nil) }

  /// Reads the list of another process, or of this one if `process` is nil. Returns nil if the
  /// system doesn't provide one.
  package init?(ofProcess process: Int32?) {
    #if os(Linux)
      let folders = process.map { ["/proc/\($0)"] } ?? ["/proc/self", "/proc/thread-self"]
      // The list of a process is empty after its main thread has ended.
      let lists = folders.lazy.map {
        ProcFile.bytes("\($0)/maps", maxCount: Self.maxListSize) ?? []
      }
      guard let list = lists.first(where: { !$0.isEmpty }) else { return nil }
      self.init(list: list)
      guard let process, let root = ProcessSource.other(process).root else { return }
      for index in parts.indices {
        parts[index].path = parts[index].path.map { ProcessSource.path($0, below: root) }
      }
    #else
      return nil
    #endif
  }

  #if os(Linux)
    /// Reads the list in a core file.
    package init(_ core: any RecordedProcess) { self.init(list: core.list) }
  #endif

  /// Reads a list in the format of `/proc/PID/maps`.
  package init(list bytes: [UInt8]) {
    var position = 0
    while position < bytes.count {
      let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      add(line: bytes[position..<end])
      position = end + 1
    }
  }

  private mutating func add(line: ArraySlice<UInt8>) {
    var rest = line
    func hexadecimal(until stop: UInt8) -> UInt? {
      var value: UInt = 0
      while let byte = rest.first, byte != stop {
        let digit =
          switch byte {
          case 0x30...0x39: byte - 0x30
          case 0x61...0x66: byte - 0x57
          default: UInt8(255)
          }
        guard digit < 16, value >> 60 == 0 else { return nil }
        value = value << 4 | UInt(digit)
        rest.removeFirst()
      }
      guard !rest.isEmpty else { return nil }
      rest.removeFirst()
      return value
    }
    guard let start = hexadecimal(until: UInt8(ascii: "-")),
      let end = hexadecimal(until: UInt8(ascii: " ")), start < end
    else { return }
    let fields = rest.split(separator: UInt8(ascii: " "), maxSplits: 4)
    guard let flags = fields.first.map(Array.init), flags.count >= 4 else { return }
    guard flags[0] == UInt8(ascii: "r") else {
      if end - start <= Self.largestGuard { guardEnd = end }
      return
    }
    let path =
      fields.count > 4 ? String(decoding: fields[4].drop { $0 == 0x20 }, as: UTF8.self) : ""
    let isWritable = flags[1] == UInt8(ascii: "w")
    let isPrivate = flags[3] == UInt8(ascii: "p")
    // Programs can name anonymous memory, which is then listed as `[anon`. Kernel pages aren't heap
    // memory.
    let isAnonymous = path.isEmpty || path == "[heap]" || path.hasPrefix("[anon")
    var use = Use.other
    if path.hasPrefix("[stack") {
      use = .stack
    } else if flags[2] == UInt8(ascii: "x"), !isWritable || !path.isEmpty {
      // If any part of the program requests executable stacks, all stacks of threads are
      // executable.
      use = .code
    } else if isWritable, isPrivate {
      if isAnonymous {
        // A part larger than any heap is the shadow memory of a sanitizer, or reserved memory.
        use = end - start > Self.largestHeap ? .other : .heap
      } else if path.hasPrefix("/"), !path.hasPrefix("/dev/") {
        use = .variables
      }
    }
    parts.append(
      Part(
        start: start, end: end, use: use, isWritable: isWritable,
        path: path.hasPrefix("/") ? path : nil, isShared: !isPrivate, isAnonymous: isAnonymous,
        isBehindGuard: start == guardEnd))
  }

  /// Marks the variables of the program and its libraries, according to the headers of their mapped
  /// files. Variables without an initial value are in memory without a file, which the kernel may
  /// have merged with memory of an allocator.
  package mutating func markVariables(_ memory: ProcessMemory) {
    var ranges: [Range<UInt>] = []
    for index in parts.indices {
      guard let path = parts[index].path, index == 0 || parts[index - 1].path != path else {
        continue
      }
      // A file that is mapped only as data doesn't have variables.
      let image = parts[index...].prefix { $0.path == path }
      guard image.contains(where: { $0.use == .code }) else { continue }
      ranges += Self.variables(ofImageAt: parts[index].start, memory)
    }
    parts = parts.flatMap { part -> [Part] in
      guard part.use == .heap || part.use == .variables else { return [part] }
      var pieces: [Part] = []
      var start = part.start
      let inside = ranges.map { $0.clamped(to: part.start..<part.end) }.filter { !$0.isEmpty }
      for range in inside.sorted(by: { $0.lowerBound < $1.lowerBound }) {
        guard range.lowerBound >= start else { continue }
        if range.lowerBound > start {
          pieces.append(part.piece(start..<range.lowerBound, part.use))
        }
        pieces.append(part.piece(range, .variables))
        start = range.upperBound
      }
      if start < part.end { pieces.append(part.piece(start..<part.end, part.use)) }
      return pieces
    }
  }

  /// Removes the parts that searches of this process made, of this or of another thread.
  package mutating func removeMemoryOfSearches() {
    parts.removeAll { ProcessMemory.isOwn($0.start) }
  }

  /// Returns the writable parts of an image, from its program headers.
  private static func variables(ofImageAt base: UInt, _ memory: ProcessMemory) -> [Range<UInt>] {
    typealias Program = ElfLayout.Program
    guard memory.half(base) == ElfLayout.magic,
      let table = memory.word(base &+ ElfLayout.programs), table < 1 << 20,
      let count = memory.half(base &+ ElfLayout.programCount).map({ $0 & 0xFFFF }), count < 256
    else { return [] }
    let page = ProcessMemory.pageSize
    var first: UInt?
    var ranges: [Range<UInt>] = []
    for number in 0..<UInt(count) {
      let header = base &+ table &+ number * Program.size
      guard let kind = memory.half(header), let flags = memory.half(header &+ Program.flags),
        let address = memory.word(header &+ Program.address),
        let count = memory.word(header &+ Program.memorySize)
      else { return [] }
      guard kind == Program.isLoaded else { continue }
      if first == nil { first = address & ~(page - 1) }
      guard flags & Program.isWritable != 0, let first, count < 1 << 40 else { continue }
      // A damaged file can contain any values.
      let start = base &+ (address &- first)
      guard start < 1 << 56 else { continue }
      // Nothing else uses the rest of the last page.
      ranges.append(start & ~(page - 1)..<(start &+ count &+ page - 1) & ~(page - 1))
    }
    return ranges
  }

  /// Makes each stack a part of its own. Since Linux 6.13 and glibc 2.42, the kernel doesn't list
  /// their guard areas, and lists them as one part with the memory next to them.
  ///
  /// - Parameter pointers: The stack pointers of the threads.
  package mutating func separateStacks(at pointers: [UInt], _ memory: ProcessMemory) {
    for pointer in pointers.sorted() {
      guard let index = index(of: pointer), case let part = parts[index], part.use == .heap,
        !part.isBehindGuard,
        let stack = Self.stack(around: pointer, in: part.start..<part.end, memory)
      else { continue }
      var own = part.piece(stack, .heap)
      own.isBehindGuard = true
      let others = [part.start..<stack.lowerBound, stack.upperBound..<part.end]
        .map { part.piece($0, .heap) }
      parts[index...index] = [others[0], own, others[1]].filter { $0.start < $0.end }[...]
    }
    // The stacks of threads that have ended come right before these, or before each other.
    parts = parts.flatMap { part -> [Part] in
      guard part.use == .heap, !part.isBehindGuard else { return [part] }
      var (pieces, end): ([Part], UInt) = ([], part.end)
      while end > part.start, let stack = Self.lastStack(in: part.start..<end, memory) {
        var own = part.piece(stack, .heap)
        own.isBehindGuard = true
        pieces.append(own)
        end = stack.lowerBound
      }
      if end > part.start { pieces.append(part.piece(part.start..<end, .heap)) }
      return pieces.reversed()
    }
  }

  /// Returns the stack with its guard area that a range ends with, or nil if there isn't one.
  private static func lastStack(in range: Range<UInt>, _ memory: ProcessMemory) -> Range<UInt>? {
    // Without a guard area, it can be memory of the program that was a stack for a while.
    guard let thread = ThreadDescription.last(in: range, memory),
      let stack = stack(around: thread, in: range, memory, hasGuard: true),
      stack.upperBound == range.upperBound
    else { return nil }
    return stack
  }

  /// The maximum distance from a stack pointer to the C library's data about the thread, and from
  /// there to the end of the stack, in bytes.
  private static let maxDepth: UInt = 16 << 20
  private static let maxThreadData: UInt = 1 << 16

  /// Returns the stack of a thread with its guard area, or nil if it isn't known.
  ///
  /// The C library's data about a thread is at the end of its stack. It has the address and the
  /// size of the stack, and then the size of its guard area (`stackblock`, `stackblock_size` and
  /// `guardsize` of `pthread` in glibc's `nptl/descr.h`).
  private static func stack(
    around pointer: UInt, in part: Range<UInt>, _ memory: ProcessMemory, hasGuard: Bool = false
  ) -> Range<UInt>? {
    let page = ProcessMemory.pageSize
    let end = part.upperBound - pointer > maxDepth ? pointer + maxDepth : part.upperBound
    return withUnsafeTemporaryAllocation(of: UInt.self, capacity: Int(maxThreadData) / 8) {
      words -> Range<UInt>? in
      guard let buffer = words.baseAddress else { return nil }
      var at = pointer & ~7
      while at < end {
        let size = min(words.count * 8, Int(end - at))
        let count = memory.copy(from: at, to: buffer, count: size) / 8
        guard count > 1 else { return nil }
        for index in 0..<count - 1 where buffer[index] & (page - 1) == 0 {
          let (start, size) = (buffer[index], buffer[index + 1])
          let place = at &+ UInt(index) * 8
          if part.contains(start), start <= pointer, size & (page - 1) == 0,
            size <= part.upperBound - start, start &+ size > place,
            start &+ size - place <= maxThreadData,
            !hasGuard || (index + 2 < count && buffer[index + 2] != 0)
          {
            return start..<start &+ size
          }
        }
        at &+= UInt(count - 1) * 8
      }
      return nil
    }
  }

  /// Marks the stacks of threads. `pointers` are the stack pointers of the threads. Below its
  /// pointer, a stack isn't in use.
  ///
  /// - Parameters:
  ///   - areSomeUnknown: Whether there are threads whose pointers are unknown. If true, memory
  ///     right after a guard area counts as a stack.
  ///   - onlyOwnParts: Whether other parts than those of stacks stay as they are. A program can use
  ///     any memory as a stack, and below the pointer can be something else.
  package mutating func markStacks(
    at pointers: [UInt], areSomeUnknown: Bool = false, onlyOwnParts: Bool = false
  ) {
    var lowest: Set<UInt> = []
    for pointer in pointers.sorted() {
      // A leaf function may use the memory right below its stack pointer.
      let start = pointer &- min(Self.redZone, pointer) & ~7
      guard let index = index(of: start), !lowest.contains(parts[index].start) else { continue }
      let part = parts[index]
      guard part.use == .heap || part.use == .stack else { continue }
      if onlyOwnParts, part.use == .heap,
        !part.isBehindGuard || part.start % Self.heapAlignment == 0
      {
        continue
      }
      lowest.insert(start)
      parts[index...index] = [
        part.piece(part.start..<start, .other), part.piece(start..<part.end, .stack),
      ]
    }
    guard areSomeUnknown else { return }
    for index in parts.indices where parts[index].isBehindGuard && parts[index].use == .heap {
      parts[index].use = .stack
      parts[index].hasRemains = true
    }
  }

  /// The alignment of glibc's heaps, which also come after inaccessible memory (`HEAP_MAX_SIZE` in
  /// `malloc/arena.c`).
  private static let heapAlignment: UInt = 64 << 20

  /// The size of the area below the stack pointer that a leaf function may use, in bytes (System V
  /// ABI for x86-64).
  package static let redZone: UInt = 128

  /// The end of the last part, except for a page of the kernel at the end of all addresses.
  package var endOfAddresses: UInt { parts.last { $0.end < 1 << 56 }?.end ?? 0 }

  /// Returns the index of the part that contains an address.
  package func index(of address: UInt) -> Int? {
    var (low, high) = (0, parts.count)
    while low < high {
      let middle = (low + high) / 2
      if parts[middle].end <= address { low = middle + 1 } else { high = middle }
    }
    return low < parts.count && parts[low].contains(address) ? low : nil
  }

  package func part(of address: UInt) -> Part? { index(of: address).map { parts[$0] } }
}
