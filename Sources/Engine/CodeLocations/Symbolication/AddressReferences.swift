/// Instructions that compute given addresses relative to their own.
enum AddressReferences {
  /// Calls `body` with each instruction in a range of code that computes the address of a target:
  /// with the address of the instruction, and with the target.
  static func visit(
    _ code: UnsafeRawBufferPointer, at start: UInt, targets: Set<UInt>,
    _ body: (_ instruction: UInt, _ target: UInt) -> Void
  ) {
    #if arch(arm64)
      visitARM64(code, at: start, targets: targets, body)
    #else
      visitX86(code, at: start, targets: targets, body)
    #endif
  }

  /// Visits instructions `lea`, whose operand is the distance from the next instruction (Intel 64
  /// and IA-32 Architectures Software Developer's Manual, volume 2, sections 2.2.1.6 and 3.2).
  static func visitX86(
    _ code: UnsafeRawBufferPointer, at start: UInt, targets: Set<UInt>,
    _ body: (_ instruction: UInt, _ target: UInt) -> Void
  ) {
    let sizeOfDistance = 4
    let opcode: UInt8 = 0x8D
    // The operand is relative to the instruction pointer (mod = 0, r/m = 5).
    let (mode, relative): (UInt8, UInt8) = (0b1100_0111, 0b101)
    for offset in code.indices.dropFirst(2).dropLast(sizeOfDistance - 1)
    where code[offset - 2] == opcode && code[offset - 1] & mode == relative {
      let distance = code.loadUnaligned(fromByteOffset: offset, as: Int32.self)
      let next = start &+ UInt(offset + sizeOfDistance)
      let target = next &+ UInt(bitPattern: Int(distance))
      if targets.contains(target) { body(start &+ UInt(offset - 2), target) }
    }
  }

  /// Visits instructions `adr`, and `adrp` with the `add` that completes it (Arm Architecture
  /// Reference Manual, sections C6.2.12, C6.2.13 and C6.2.5).
  static func visitARM64(
    _ code: UnsafeRawBufferPointer, at start: UInt, targets: Set<UInt>,
    _ body: (_ instruction: UInt, _ target: UInt) -> Void
  ) {
    var pages = [UInt?](repeating: nil, count: 32)
    for offset in stride(from: 0, to: code.count / 4 * 4, by: 4) {
      let word = UInt32(littleEndian: code.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
      let address = start &+ UInt(offset)
      let register = Int(word & 0x1F)
      // The operand has 21 bits and a sign: 19 from bit 5 on, and below them two from bit 29 on.
      let high = Int(Int32(bitPattern: word << 8) >> 13)
      let distance = UInt(bitPattern: high << 2 | Int(word >> 29 & 3))
      var target: UInt?
      switch word {
      case _ where word & 0x9F00_0000 == 0x9000_0000:
        pages[register] = address & ~0xFFF &+ distance << 12
      case _ where word & 0x9F00_0000 == 0x1000_0000:
        target = address &+ distance
      case _ where word & 0xFFC0_0000 == 0x9100_0000:
        target = pages[Int(word >> 5 & 0x1F)].map { $0 &+ UInt(word >> 10 & 0xFFF) }
      default:
        break
      }
      if let target, targets.contains(target) { body(address, target) }
    }
  }
}
