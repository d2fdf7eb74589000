#if os(Linux)
  import CRuntime.OtherProcess
  import CodeLocations
  package import ProcessMemory
  import SystemLibrary

  /// Finds the calls of a thread from its registers and its stack, by the rules in the files of the
  /// program, and by frame pointers for code without rules.
  package final class Unwinder {
    #if arch(arm64)
      package static let stackPointer = 31
      /// The registers that functions save for their callers.
      private static let savedRegisters = 19...29
      private static let framePointer = 29
      /// The bits of an address. Higher ones are a signature or a tag.
      private static let addressMask: UInt = (1 << 48) - 1
    #else
      package static let stackPointer = 7
      /// The registers that functions save for their callers.
      private static let savedRegisters = [3, 6, 12, 13, 14, 15]
      private static let framePointer = 6
      private static let addressMask = UInt.max
    #endif
    /// The bit in a saved frame pointer with which Swift marks the frame of an asynchronous
    /// function (`swift/ABI/Task.h` and the ABI document "Calling Convention").
    private static let asynchronousFrame: UInt = 1 << 60

    private let memory: ProcessMemory
    private let files: ProcessFiles
    private let isInTime: () -> Bool
    private var tables: [LoadedImage: (table: UnwindTable, move: UInt)?] = [:]

    package init(
      _ memory: ProcessMemory, _ files: ProcessFiles, isInTime: @escaping () -> Bool
    ) {
      self.memory = memory
      self.files = files
      self.isInTime = isInTime
    }

    /// Returns a copy of the stack from an address on, without stopping its thread.
    func stack(from address: UInt) -> [UInt8] {
      let size = Int(inspection_stack_size)
      return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
        count = buffer.baseAddress.map { memory.copy(from: address, to: $0, count: size) } ?? 0
      }
    }

    /// Returns the frames, innermost first. A register without a value is unknown.
    func frames(pc: UInt, _ registers: [UInt?], _ stack: StackCopy) -> CallList<ThreadStack.Frame> {
      var registers = registers
      var frames = CallList<ThreadStack.Frame>()
      // The program counter of the innermost function doesn't follow a call.
      var address = pc &+ 1
      let word = { (address: UInt) in stack.word(address) ?? self.memory.word(address) }
      while !frames.isFull, isInTime(),
        let pointer = registers[Self.stackPointer], files.isCode(address &- 1)
      {
        guard let caller = caller(of: address &- 1, registers, frames.isEmpty, word) else {
          frames.append(.init(address: address, stack: pointer..<pointer, saved: saved(registers)))
          break
        }
        // A stack grows toward lower addresses. Only a function that calls no other one can be
        // without a frame, on platforms with the return address in a register.
        guard let next = caller.registers[Self.stackPointer],
          next > pointer || next == pointer && frames.isEmpty
        else { break }
        frames.append(.init(address: address, stack: pointer..<next, saved: saved(registers)))
        registers = caller.registers
        address = caller.isInterrupted ? caller.address &+ 1 : caller.address
      }
      return frames
    }

    /// Returns whether all registers that the program uses are on the stack of a thread that waits
    /// in a system call: functions of the C library and of libdispatch have saved them.
    package func areRegistersSaved(in call: ThreadCall) -> Bool {
      var registers = [UInt?](repeating: nil, count: Int(inspection_register_count))
      registers[Self.stackPointer] = call.stackPointer
      var address = call.pc &+ 1
      var isInnermost = true
      while isInTime(), Self.onlyWaits(files.image(at: address &- 1)?.path),
        let caller = caller(of: address &- 1, registers, isInnermost, { self.memory.word($0) })
      {
        (registers, address, isInnermost) = (caller.registers, caller.address, false)
        if Self.savedRegisters.allSatisfy({ registers[$0] != nil }) { return true }
      }
      return false
    }

    /// Returns whether functions of a library that wait have no references of their own.
    private static func onlyWaits(_ path: String?) -> Bool {
      LoadedImage.isCLibrary(path) || path?.hasSuffix("/libdispatch.so") == true
    }

    /// Returns the value of the first register that functions save for their callers: `rbx`.
    private func saved(_ registers: [UInt?]) -> UInt? {
      #if arch(arm64)
        nil
      #else
        registers[3]
      #endif
    }

    private struct Caller {
      var registers: [UInt?]
      let address: UInt
      /// A Boolean value that indicates whether a signal interrupted the caller.
      var isInterrupted = false
    }

    private func caller(
      of address: UInt, _ registers: [UInt?], _ isInnermost: Bool, _ word: (UInt) -> UInt?
    ) -> Caller? {
      guard let image = files.image(at: address), let (table, move) = table(of: image),
        let row = table.row(at: address &- move)
      else { return callerByFramePointer(registers, word) }
      var registers = registers
      if case .register(Self.framePointer, _) = row.frameAddress,
        registers[Self.framePointer] == nil, let pointer = registers[Self.stackPointer]
      {
        let start = table.functionStart(at: address &- move).map { $0 &+ move }
        registers[Self.framePointer] = FramePointerSearch(
          memory: memory, isCode: files.isCode, marker: Self.asynchronousFrame
        ).framePointer(ofFunctionAt: start, stackPointer: pointer, word: word)
      }
      let value = { (register: Int) -> UInt? in
        registers.indices.contains(register) ? registers[register] : nil
      }
      // The program counter is part of the expressions of x86-64 for calls of other libraries.
      let valueOrAddress = { (register: Int) -> UInt? in
        register == row.returnRegister && register >= Self.pcFrom ? address : value(register)
      }
      let frameAddress: UInt?
      switch row.frameAddress {
      case .register(let register, let offset):
        frameAddress = value(register).map { $0 &+ UInt(bitPattern: offset) }
      case .value(let expression):
        frameAddress = table.value(
          of: expression, initial: nil, register: valueOrAddress, word: word)
      }
      guard let frameAddress else { return nil }
      func result(_ rule: UnwindTable.Rule, _ register: Int) -> UInt? {
        switch rule {
        case .undefined: nil
        case .saved(let offset): word(frameAddress &+ UInt(bitPattern: offset))
        case .offset(let offset): frameAddress &+ UInt(bitPattern: offset)
        case .register(let other): value(other)
        case .savedAt(let expression):
          table.value(of: expression, initial: frameAddress, register: value, word: word)
            .flatMap(word)
        case .value(let expression):
          table.value(of: expression, initial: frameAddress, register: value, word: word)
        }
      }
      var saved = registers
      for (register, rule) in row.rules where saved.indices.contains(register) {
        saved[register] = result(rule, register)
      }
      let returnRule = row.rules[row.returnRegister]
      let returnAddress =
        returnRule.map { result($0, row.returnRegister) } ?? value(row.returnRegister)
      guard let returnAddress, returnAddress & Self.addressMask != 0 else { return nil }
      if row.rules[Self.stackPointer] == nil { saved[Self.stackPointer] = frameAddress }
      if let pointer = saved[Self.framePointer] {
        saved[Self.framePointer] = pointer & ~Self.asynchronousFrame
      }
      return Caller(
        registers: saved, address: returnAddress & Self.addressMask,
        isInterrupted: row.isSignalFrame)
    }

    /// The number of the column of the program counter in the rules of x86-64. Arm has the return
    /// address in a register with its own value.
    private static let pcFrom = 16

    private func callerByFramePointer(_ registers: [UInt?], _ word: (UInt) -> UInt?) -> Caller? {
      guard let frame = registers[Self.framePointer], let pointer = registers[Self.stackPointer],
        frame >= pointer, frame & 7 == 0, let next = word(frame), let address = word(frame &+ 8),
        address & Self.addressMask != 0
      else { return nil }
      var saved = [UInt?](repeating: nil, count: registers.count)
      saved[Self.framePointer] = next & ~Self.asynchronousFrame
      saved[Self.stackPointer] = frame &+ 16
      return Caller(registers: saved, address: address & Self.addressMask)
    }

    private func table(of image: LoadedImage) -> (table: UnwindTable, move: UInt)? {
      if let known = tables[image] { return known }
      var found: (table: UnwindTable, move: UInt)?
      if let file = ElfFile(image.file, isInTime: isInTime), let table = UnwindTable(file) {
        found = (table, image.distance(file))
      }
      tables[image] = .some(found)
      return found
    }
  }
#endif
