#if os(Linux)
  import ProcessMemory

  /// Finds the frame pointer of a function from its stack pointer alone.
  ///
  /// The kernel says where the stack of a thread in a system call ends, and nothing about its other
  /// registers. A thread whose call would fail if it was stopped isn't stopped to read them.
  struct FramePointerSearch {
    let memory: ProcessMemory
    let isCode: (UInt) -> Bool
    /// The bit in a saved frame pointer that marks the frame of an asynchronous function.
    let marker: UInt

    /// The maximum size of a frame in which the pointer is looked for, in bytes.
    private static let maxFrame: UInt = 1 << 16
    /// The maximum distance of two frames, in bytes: the default size of a stack.
    private static let maxDistance: UInt = 8 << 20

    /// Returns the frame pointer, or nil if nothing on the stack looks like it.
    ///
    /// It points at the caller's frame pointer, which the return address follows. Old frames look
    /// the same, but few of them were called from code that calls the function.
    ///
    /// - Parameters:
    ///   - start: The address of the first instruction of the function.
    ///   - word: Reads a word of the stack.
    func framePointer(
      ofFunctionAt start: UInt?, stackPointer: UInt, word: (UInt) -> UInt?
    ) -> UInt? {
      #if arch(x86_64)
        let size = start.flatMap { Prologue(bytes($0, count: 64)) }?.size ?? 0
        let first = (stackPointer &+ size &+ 7) & ~7
        var candidate: UInt?
        for address in stride(from: first, to: first &+ Self.maxFrame, by: 8) {
          guard let value = word(address) else { break }
          let caller = value & ~marker
          guard caller > address, caller - address < Self.maxDistance, caller & 7 == 0,
            let returnAddress = word(address &+ 8), isCode(returnAddress &- 1),
            let call = call(before: returnAddress)
          else { continue }
          if call.target == start, start != nil { return address }
          // The function was called through a pointer, or the callee continued with it.
          if candidate == nil { candidate = address }
        }
        return candidate
      #else
        return nil
      #endif
    }

    private func bytes(_ address: UInt, count: Int) -> [UInt8] {
      var bytes = [UInt8](repeating: 0, count: count)
      let isRead = bytes.withUnsafeMutableBytes { buffer in
        buffer.baseAddress.map { memory.read(address, into: $0, count: count) } ?? false
      }
      return isRead ? bytes : []
    }

    /// Returns the call that ends right before an address, or nil if there isn't one. Its target is
    /// nil if it is in a register or in memory.
    private func call(before address: UInt) -> (target: UInt?, Void)? {
      let code = bytes(address &- 7, count: 7)
      guard code.count == 7 else { return nil }
      if code[2] == 0xE8 {
        let distance = code[3...].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let target = address &+ UInt(bitPattern: Int(Int32(bitPattern: distance)))
        if isCode(target) { return (target, ()) }
      }
      // The instruction `FF /2`, with an operand of 1 to 6 bytes.
      let isIndirect = (2...7).contains { size in
        code[7 - size] == 0xFF && code[8 - size] >> 3 & 7 == 2
      }
      return isIndirect ? (nil, ()) : nil
    }

    /// The instructions at the start of a function that make room on the stack (System V ABI for
    /// x86-64, "The Stack Frame").
    private struct Prologue {
      /// The number of bytes between the frame pointer and the stack pointer, without memory whose
      /// size is only known when the function runs.
      var size: UInt = 0

      /// Returns nil if the function doesn't begin in the usual way.
      init?(_ code: [UInt8]) {
        var rest = code[...]
        func skip(_ bytes: [UInt8]) -> Bool {
          guard rest.starts(with: bytes) else { return false }
          rest = rest.dropFirst(bytes.count)
          return true
        }
        // `endbr64`, and `bts rbp, 60` of an asynchronous function.
        _ = skip([0xF3, 0x0F, 0x1E, 0xFA])
        _ = skip([0x48, 0x0F, 0xBA, 0xED, 0x3C])
        // `push rbp`.
        guard skip([0x55]) else { return nil }
        // `push r14` with the asynchronous context, and `lea rbp, [rsp + 8]`; or `mov rbp, rsp`.
        if skip([0x41, 0x56, 0x48, 0x8D, 0x6C, 0x24, 0x08]) {
          size += 8
        } else if !skip([0x48, 0x89, 0xE5]) {
          return nil
        }
        while let first = rest.first {
          if (0x50...0x57).contains(first) {
            rest = rest.dropFirst()
          } else if first == 0x41, let second = rest.dropFirst().first,
            (0x50...0x57).contains(second)
          {
            rest = rest.dropFirst(2)
          } else {
            break
          }
          size += 8
        }
        // `sub rsp`, with a constant of one or four bytes.
        if skip([0x48, 0x83, 0xEC]) {
          size += UInt(rest.first ?? 0)
        } else if skip([0x48, 0x81, 0xEC]) {
          size += rest.prefix(4).reversed().reduce(0) { $0 << 8 | UInt($1) }
        }
      }
    }
  }
#endif
