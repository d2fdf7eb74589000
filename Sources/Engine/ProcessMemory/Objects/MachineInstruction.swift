/// An instruction for x86-64, as far as `ContextSize` needs to know it: its length, where it
/// continues, and what it does to registers (Intel 64 and IA-32 Architectures Software Developer's
/// Manual, volume 2).
struct MachineInstruction {
  /// The numbers of registers in instructions.
  enum Register {
    static let a = 0, c = 1, d = 2, sp = 4, bp = 5, si = 6, di = 7, r13 = 13
    static let count = 16
    /// The registers that a function may change (System V ABI for x86-64).
    static let ofCaller = [0, 1, 2, 6, 7, 8, 9, 10, 11]
  }

  /// A register, a place relative to `rbp`, or other memory.
  enum Operand: Equatable {
    case register(Int)
    case slot(Int)
    case memory
  }

  enum Action: Equatable {
    case constant(UInt64, to: Operand)
    /// - Parameter isWhole: Whether all 64 bits are moved.
    case move(Operand, to: Operand, isWhole: Bool)
    /// Writes unknown values, at most to these operands.
    case change([Operand])
    case branch(distance: Int)
    case jump(distance: Int)
    /// A jump to an address in a register or in memory.
    case jumpToValue
    case call
    /// A return, or an instruction after which nothing runs.
    case end
  }

  /// The size in bytes.
  let length: Int
  let action: Action

  /// Decodes the instruction at the start of some bytes. Returns nil if it isn't known.
  /// Instructions have at most 15 bytes.
  init?(_ bytes: [UInt8]) {
    var decoder = Decoder(bytes)
    guard let action = decoder.action(), !decoder.hasOverrun else { return nil }
    self.action = action
    length = decoder.position
  }

  private struct Decoder {
    let bytes: [UInt8]
    var position = 0
    var hasOverrun = false
    private var hasShortOperands = false
    private var extensions: UInt8 = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    private var isWhole: Bool { extensions & 8 != 0 }

    private mutating func byte() -> UInt8 {
      guard position < bytes.count else {
        hasOverrun = true
        return 0
      }
      defer { position += 1 }
      return bytes[position]
    }

    /// Reads a number with a sign.
    private mutating func number(_ size: Int) -> Int {
      var value: UInt64 = 0
      for index in 0..<size { value |= UInt64(byte()) << UInt64(index * 8) }
      let shift = UInt64(64 - size * 8)
      return Int(truncatingIfNeeded: Int64(bitPattern: value << shift) >> Int64(shift))
    }

    /// The size of a constant of the size of the operands, which is never 8 bytes.
    private var constantSize: Int { hasShortOperands ? 2 : 4 }

    // The byte ModR/M: a register or a part of the operation, and an operand.
    private mutating func operands() -> (register: Int, other: Operand) {
      let mode = byte()
      let register = Int(mode >> 3 & 7) | Int(extensions & 4) << 1
      let base = Int(mode & 7)
      switch mode >> 6 {
      case 3: return (register, .register(base | Int(extensions & 1) << 3))
      case let kind:
        let hasIndex = base == 4
        let index = hasIndex ? byte() : 0
        let isPlain = kind == 0 && (base == 5 || hasIndex && index & 7 == 5)
        let distance = number(kind == 1 ? 1 : kind == 2 || isPlain ? 4 : 0)
        let isSlot = base == Register.bp && kind != 0 && extensions & 1 == 0
        return (register, isSlot ? .slot(distance) : .memory)
      }
    }

    mutating func action() -> Action? {
      while true {
        let first = byte()
        switch first {
        case 0x66: hasShortOperands = true
        case 0x26, 0x2E, 0x36, 0x3E, 0x64, 0x65, 0xF0, 0xF2, 0xF3: break
        case 0x40...0x4F:
          extensions = first & 15
          return operation(byte())
        default: return operation(first)
        }
        if hasOverrun { return nil }
      }
    }

    /// The register in the lowest bits of an instruction's code.
    private func register(in code: UInt8) -> Int { Int(code & 7) | Int(extensions & 1) << 3 }

    /// Decodes an instruction whose code has one byte.
    private mutating func operation(_ code: UInt8) -> Action? {
      switch code {
      case 0x0F: longOperation(byte())
      case 0xC4, 0xC5: vectorOperation(code)
      case 0x00...0x3F: arithmetic(code)
      case 0x50...0x5F, 0x68, 0x6A, 0xC9: stackOperation(code)
      case 0x69, 0x6B, 0x80...0x85, 0xA8, 0xA9, 0xC0, 0xC1, 0xD0...0xD3, 0xF6, 0xF7:
        longArithmetic(code)
      case 0x70...0x7F, 0xC3, 0xCC, 0xE8, 0xE9, 0xEB, 0xF4: controlTransfer(code)
      case 0xFF: groupOfFF()
      default: move(code)
      }
    }

    /// Decodes arithmetic with two operands: with registers and memory, or with `rax` and a
    /// constant.
    private mutating func arithmetic(_ code: UInt8) -> Action? {
      let isComparison = code >= 0x38
      switch code & 7 {
      case 0...3:
        let (register, other) = operands()
        // `xor` of a register with itself.
        if code & 0xFE == 0x30 || code & 0xFE == 0x32, other == .register(register) {
          return .constant(0, to: other)
        }
        return .change(isComparison ? [] : [.register(register), other])
      case 4: _ = byte()
      case 5: _ = number(constantSize)
      default: return nil
      }
      return .change(isComparison ? [] : [.register(Register.a)])
    }

    /// Decodes arithmetic with a constant or one operand, comparisons and shifts.
    private mutating func longArithmetic(_ code: UInt8) -> Action? {
      if code == 0xA8 || code == 0xA9 {
        _ = number(code == 0xA8 ? 1 : constantSize)
        return .change([])
      }
      let (register, other) = operands()
      let operation = register & 7
      switch code {
      case 0x69, 0x6B:
        _ = number(code == 0x69 ? constantSize : 1)
        return .change([.register(register)])
      case 0x80, 0x81, 0x83:
        _ = number(code == 0x81 ? constantSize : 1)
        return .change(operation == 7 ? [] : [other])
      case 0x84, 0x85: return .change([])
      case 0xC0, 0xC1:
        _ = byte()
        return .change([other])
      case 0xD0...0xD3: return .change([other])
      case 0xF6, 0xF7:
        switch operation {
        case 0, 1:
          _ = number(code == 0xF6 ? 1 : constantSize)
          return .change([])
        case 2, 3: return .change([other])
        default: return .change([.register(Register.a), .register(Register.d)])
        }
      default: return nil
      }
    }

    private mutating func stackOperation(_ code: UInt8) -> Action? {
      switch code {
      case 0x58...0x5F: return .change([.register(register(in: code))])
      case 0x68: _ = number(constantSize)
      case 0x6A: _ = byte()
      case 0xC9: return .change([.register(Register.bp)])
      default: break
      }
      return .change([])
    }

    private mutating func controlTransfer(_ code: UInt8) -> Action? {
      switch code {
      case 0x70...0x7F: return .branch(distance: number(1))
      case 0xE8:
        _ = number(4)
        return .call
      case 0xE9: return .jump(distance: number(4))
      case 0xEB: return .jump(distance: number(1))
      default: return .end
      }
    }

    /// Decodes calls, jumps and arithmetic with the code 0xFF, which continues in the next byte.
    private mutating func groupOfFF() -> Action? {
      let (operation, other) = operands()
      switch operation & 7 {
      case 0, 1: return .change([other])
      case 2: return .call
      case 4: return .jumpToValue
      case 6: return .change([])
      default: return nil
      }
    }

    /// Decodes moves, exchanges, conversions and operations on strings and floating-point numbers.
    private mutating func move(_ code: UInt8) -> Action? {
      switch code {
      case 0x89, 0x8B:
        let (register, other) = operands()
        guard !hasShortOperands else { return .change([.register(register), other]) }
        return code == 0x89
          ? .move(.register(register), to: other, isWhole: isWhole)
          : .move(other, to: .register(register), isWhole: isWhole)
      case 0x63, 0x8D: return .change([.register(operands().register)])
      case 0x86...0x8F:
        let (register, other) = operands()
        return .change([.register(register), other])
      case 0x90 where extensions & 1 == 0: return .change([])
      case 0x90...0x97:
        return .change([.register(Register.a), .register(register(in: code))])
      case 0x98, 0x99: return .change([.register(Register.a), .register(Register.d)])
      case 0xA4...0xA7, 0xAA...0xAF:
        return .change([Register.a, Register.c, Register.si, Register.di].map(Operand.register))
      case 0xB0...0xB7:
        _ = byte()
        // A part of a register.
        let low = register(in: code)
        return .change([.register(low), .register(low & 3)])
      case 0xB8...0xBF:
        let register = Operand.register(register(in: code))
        guard !hasShortOperands else {
          _ = number(2)
          return .change([register])
        }
        return .constant(constant(number(isWhole ? 8 : 4)), to: register)
      case 0xC6, 0xC7:
        let other = operands().other
        let value = number(code == 0xC6 ? 1 : constantSize)
        guard code == 0xC7, !hasShortOperands else { return .change([other]) }
        return .constant(constant(value), to: other)
      case 0xD8...0xDF: return .change([operands().other, .register(Register.a)])
      case 0xFE: return .change([operands().other])
      default: return nil
      }
    }

    /// Returns the value that an instruction with a constant stores.
    private func constant(_ value: Int) -> UInt64 {
      isWhole ? UInt64(bitPattern: Int64(value)) : UInt64(UInt32(truncatingIfNeeded: value))
    }

    /// Decodes an instruction whose code has two or three bytes.
    private mutating func longOperation(_ code: UInt8) -> Action? {
      switch code {
      case 0x0B: return .end
      case 0x38:
        _ = byte()
      case 0x3A:
        _ = byte()
        let (register, other) = operands()
        _ = byte()
        return .change([.register(register), other])
      case 0x77: return .change([])
      // Hints, which include `endbr64`.
      case 0x18...0x1F:
        _ = operands()
        return .change([])
      case 0x80...0x8F: return .branch(distance: number(4))
      case 0x70...0x73, 0xA4, 0xAC, 0xBA, 0xC2, 0xC4...0xC6:
        let (register, other) = operands()
        _ = byte()
        return .change([.register(register), other])
      case 0xC8...0xCF:
        return .change([.register(register(in: code))])
      case 0xB0, 0xB1:
        let (register, other) = operands()
        return .change([.register(register), other, .register(Register.a)])
      case 0x0D, 0x10...0x17, 0x28...0x2F, 0x40...0x6F, 0x74...0x76, 0x7C...0x7F, 0x90...0x9F,
        0xA3, 0xA5, 0xAB, 0xAD...0xAF, 0xB3, 0xB6...0xB8, 0xBB...0xBF, 0xC0, 0xC1, 0xC3,
        0xD0...0xFE:
        break
      default: return nil
      }
      let (register, other) = operands()
      return .change([.register(register), other])
    }

    /// Decodes an instruction for vectors with its own prefix (VEX).
    private mutating func vectorOperation(_ prefix: UInt8) -> Action? {
      var map: UInt8 = 1
      let first = byte()
      extensions = first & 0x80 == 0 ? 4 : 0
      if prefix == 0xC4 {
        map = first & 0x1F
        extensions |= ~first >> 5 & 3
        _ = byte()
      }
      let code = byte()
      if map == 1, code == 0x77 { return .change([]) }
      guard (1...3).contains(map) else { return nil }
      let (register, other) = operands()
      switch (map, code) {
      case (3, _), (1, 0x70...0x73), (1, 0xC2), (1, 0xC4...0xC6): _ = byte()
      default: break
      }
      return .change([.register(register), other])
    }
  }
}
