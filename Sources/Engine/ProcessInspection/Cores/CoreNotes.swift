#if os(Linux)
  import CodeLocations
  package import ProcessMemory
  import CRuntime.OtherProcess

  /// What a core file says about the process and its threads, besides its memory (the kernel's
  /// `fs/binfmt_elf.c` and `linux/elfcore.h`).
  package struct CoreNotes: Sendable {
    package struct Thread: Sendable {
      package let number: Int32
      /// The registers by their numbers in DWARF.
      package let registers: [UInt]
      package let pc: UInt
      package let stackPointer: UInt
      /// The number of the system call in which the thread waits, or nil, and its arguments.
      package private(set) var call: Int?
      package private(set) var arguments: [UInt]
    }

    /// A part of the memory with the content of a file.
    package struct Mapping: Sendable {
      package let range: Range<UInt>
      /// The position in the file, in bytes.
      let offset: UInt64
      package let path: String
    }

    package let process: Int32
    package let parent: Int32
    /// The name of the program, with at most 15 bytes.
    package let name: String
    /// The beginning of the command line, with spaces between the arguments.
    package let command: String
    package private(set) var threads: [Thread]
    let mappings: [Mapping]
    /// The address at which the program starts.
    let entry: UInt?
    /// The address of the path of the program, which is on the stack of the first thread.
    let executedName: UInt?

    private enum Kind {
      static let thread: UInt32 = 1
      static let process: UInt32 = 3
      static let auxiliary: UInt32 = 6
      static let files: UInt32 = 0x4649_4C45
    }

    /// The maximum numbers of threads and of mapped files.
    private static let maxThreads = 1 << 16
    private static let maxMappings = 1 << 20

    /// Reads notes. Returns nil if the process or its threads are missing.
    init?(_ notes: [ElfNote]) {
      var process: ArraySlice<UInt8>?
      var threads: [Thread] = []
      var mappings: [Mapping] = []
      var auxiliary: [UInt64: UInt] = [:]
      for note in notes where note.name == "CORE" {
        switch note.type {
        case Kind.thread where threads.count < Self.maxThreads:
          if let thread = Thread(note.content) { threads.append(thread) }
        case Kind.process: process = note.content
        case Kind.auxiliary:
          for offset in stride(from: 0, to: note.content.count, by: 16) {
            auxiliary[note.content.number(offset, 8)] = UInt(note.content.number(offset + 8, 8))
          }
        case Kind.files: mappings = Self.mappings(note.content)
        default: break
        }
      }
      guard let process, process.count >= 136, !threads.isEmpty else { return nil }
      func text(_ range: Range<Int>) -> String {
        let bytes = process.dropFirst(range.lowerBound).prefix(range.count).prefix { $0 != 0 }
        return String(decoding: bytes, as: UTF8.self)
      }
      self.process = Int32(truncatingIfNeeded: process.number(24, 4))
      parent = Int32(truncatingIfNeeded: process.number(28, 4))
      name = text(40..<56)
      command = text(56..<136)
      var seen: Set<Int32> = []
      self.threads = threads.filter { seen.insert($0.number).inserted }
        .sorted { $0.number < $1.number }
      self.mappings = mappings
      // `AT_ENTRY` and `AT_EXECFN` of getauxval(3).
      entry = auxiliary[9]
      executedName = auxiliary[31]
    }

    private static func mappings(_ content: ArraySlice<UInt8>) -> [Mapping] {
      let count = content.number(0, 8)
      let page = content.number(8, 8)
      guard count <= maxMappings, page > 0, page <= 1 << 20,
        Int(count) * 24 + 16 <= content.count
      else { return [] }
      let names = content.dropFirst(16 + Int(count) * 24)
        .split(separator: 0, omittingEmptySubsequences: false)
      var found: [Mapping] = []
      for (index, name) in zip(0..<Int(count), names) {
        let at = 16 + index * 24
        let start = UInt(content.number(at, 8))
        let end = UInt(content.number(at + 8, 8))
        let (offset, overflows) = content.number(at + 16, 8).multipliedReportingOverflow(by: page)
        guard start < end, !overflows, offset < UInt64(Int64.max), !name.isEmpty else { continue }
        var path = String(decoding: name, as: UTF8.self)
        // The kernel adds this to the path of a file that was deleted or replaced. The file that is
        // there now is compared.
        if path.hasSuffix(deleted) { path.removeLast(deleted.count) }
        found.append(Mapping(range: start..<end, offset: offset, path: path))
      }
      var end: UInt = 0
      return found.sorted { $0.range.lowerBound < $1.range.lowerBound }.filter { mapping in
        guard mapping.range.lowerBound >= end else { return false }
        end = mapping.range.upperBound
        return true
      }
    }

    private static let deleted = " (deleted)"

    /// Finds out in which calls the threads wait, if the registers don't say so.
    ///
    /// - Parameter code: Returns the instruction at an address.
    mutating func findCalls(_ code: (UInt) -> UInt32?) {
      #if arch(arm64)
        for index in threads.indices { threads[index].findCall(code) }
      #endif
    }
  }

  extension ThreadCall {
    /// Creates the call of a thread in a core file. Returns nil if the thread runs.
    package init?(_ thread: CoreNotes.Thread) {
      guard let call = thread.call else { return nil }
      self.init(
        number: call, arguments: thread.arguments, stackPointer: thread.stackPointer,
        pc: thread.pc)
    }
  }

  extension CoreNotes.Thread {
    /// The offset of the registers in the note (`elf_prstatus`).
    private static let registersOffset = 112
    private static let numberOffset = 32

    #if arch(arm64)
      /// The instruction `svc #0`, which makes a system call.
      private static let systemCall: UInt32 = 0xD400_0001

      /// A thread that was interrupted in a call is about to make it again, unless the call failed
      /// with `EINTR` (`do_signal` in the kernel's `arch/arm64/kernel/signal.c`).
      fileprivate mutating func findCall(_ code: (UInt) -> UInt32?) {
        if code(pc) == Self.systemCall {
          call = Int(bitPattern: registers[8])
          arguments = Array(registers[..<6])
        } else if code(pc &- 4) == Self.systemCall, Int(bitPattern: registers[0]) == -4 {
          call = Int(bitPattern: registers[8])
        }
      }
    #endif

    init?(_ content: ArraySlice<UInt8>) {
      let count = Int(inspection_register_count)
      let number = Int32(truncatingIfNeeded: content.number(Self.numberOffset, 4))
      func register(_ index: Int) -> UInt {
        UInt(content.number(Self.registersOffset + index * 8, 8))
      }
      #if arch(arm64)
        guard content.count >= Self.registersOffset + 34 * 8, number > 0 else { return nil }
        let registers = (0..<count).map(register)
        self.init(
          number: number, registers: registers, pc: register(32), stackPointer: registers[31],
          call: nil, arguments: [])
      #else
        // `user_regs_struct` in the kernel's `asm/user_64.h`.
        guard content.count >= Self.registersOffset + 27 * 8, number > 0 else { return nil }
        var registers = [10, 12, 11, 5, 13, 14, 4, 19, 9, 8, 7, 6, 3, 2, 1, 0].map(register)
        registers += [UInt](repeating: 0, count: count - registers.count)
        let (pc, stackPointer) = (register(16), register(19))
        let system = Int(bitPattern: register(15))
        // Other threads are interrupted in their calls, which shows in the results (`ERESTARTSYS`
        // and others in the kernel's `linux/errno.h`).
        let isWaiting = [-4, -512, -513, -514, -516].contains(Int(bitPattern: register(10)))
        self.init(
          number: number, registers: registers, pc: pc, stackPointer: stackPointer,
          call: system >= 0 && isWaiting ? system : nil,
          arguments: [14, 13, 12, 7, 9, 8].map(register))
      #endif
    }
  }
#endif
