import SwiftRuntime

/// The size of a closure's context, read from the code that deallocates it.
///
/// If the compiler doesn't describe a context, each of its words can be a reference. The
/// allocator's block is up to a word larger than the context, and that word can still have an
/// address from the previous use of the block. Such a word led to a wrong cycle in 13 of 40 runs of
/// a planted leak. The code that deallocates the context contains its size, unless the context has
/// a value of a type that isn't known until run time.
package enum ContextSize {
  /// The masks for an alignment of 8 and more.
  private static let alignmentMasks: Set<UInt64> = [7, 15, 31, 63]
  private static let maxSize: UInt64 = 65536

  /// The maximum number of instructions to follow, on all paths together.
  private static let maxSteps = 1024
  /// The maximum size of an instruction in bytes.
  private static let maxLength: UInt = 15
  /// The sizes of what a move and any other instruction write to memory, at most, in bytes.
  private static let wordSize = 8
  private static let vectorSize = 64

  /// Returns the size in bytes that the code passes to `swift_deallocObject`, or nil if the size
  /// isn't a constant. Supports only x86-64.
  package static func size(freedBy code: UInt, _ memory: ProcessMemory) -> Int? {
    #if arch(x86_64)
      return size(freedBy: code) { address in
        memory.half(address & ~3).map { UInt8(truncatingIfNeeded: $0 >> ((address & 3) * 8)) }
      }
    #else
      return nil
    #endif
  }

  /// What is known about the value in a register.
  private enum Value: Hashable {
    case context
    case constant(UInt64)
  }

  private struct State: Hashable {
    var address: UInt
    var registers: [Value?]
    /// The known values in memory, by their distance from `rbp`.
    var slots: [Int: Value] = [:]

    func value(_ operand: MachineInstruction.Operand) -> Value? {
      switch operand {
      case .register(let register): registers[register]
      case .slot(let place): slots[place]
      case .memory: nil
      }
    }

    /// - Parameter size: The maximum number of bytes that are written to memory.
    mutating func set(_ operand: MachineInstruction.Operand, _ value: Value?, size: Int) {
      switch operand {
      case .register(let register):
        registers[register] = value
        if register == MachineInstruction.Register.bp { slots = [:] }
      case .slot(let place):
        for other in slots.keys where other > place - 8 && other < place + size {
          slots[other] = nil
        }
        slots[place] = value
      case .memory: break
      }
    }
  }

  /// Follows the code from its start on all paths, to calls and jumps that pass the context as the
  /// first argument: those to `swift_deallocObject`. The next arguments are the size and the mask
  /// of the alignment. The linker can merge equal code of several contexts, so that a function
  /// begins with a jump to another one.
  ///
  /// - Parameter byte: Returns a byte of the code, or nil if it can't be read.
  package static func size(freedBy code: UInt, byte: (UInt) -> UInt8?) -> Int? {
    typealias Register = MachineInstruction.Register
    var start = State(address: code, registers: Array(repeating: nil, count: Register.count))
    // An object is passed to the code that deallocates it like `self` to a method.
    start.registers[Register.r13] = .context
    var open = [start]
    var seen: Set<State> = []
    var found: UInt64?
    while var state = open.popLast() {
      guard seen.insert(state).inserted else { continue }
      guard seen.count <= maxSteps, let instruction = instruction(at: state.address, byte) else {
        return nil
      }
      state.address &+= UInt(instruction.length)
      let passesContext = state.registers[Register.di] == .context
      switch instruction.action {
      case .call where passesContext, .jump where passesContext, .jumpToValue where passesContext:
        guard let size = size(in: state), found == nil || found == size else { return nil }
        found = size
        continue
      case .constant(let value, let target): state.set(target, .constant(value), size: wordSize)
      case .move(let source, let target, let isWhole):
        let value = state.value(source)
        state.set(target, isWhole || value != .context ? value : nil, size: wordSize)
      case .change(let targets): targets.forEach { state.set($0, nil, size: vectorSize) }
      case .branch(let distance):
        var other = state
        other.address &+= UInt(bitPattern: distance)
        open.append(other)
      case .jump(let distance): state.address &+= UInt(bitPattern: distance)
      case .call: Register.ofCaller.forEach { state.registers[$0] = nil }
      // The other paths have the same size.
      case .jumpToValue, .end: continue
      }
      open.append(state)
    }
    return found.map { Int($0) }
  }

  private static func instruction(
    at address: UInt, _ byte: (UInt) -> UInt8?
  ) -> MachineInstruction? {
    var bytes: [UInt8] = []
    for offset in 0..<maxLength {
      guard let next = byte(address &+ offset) else { break }
      bytes.append(next)
    }
    return MachineInstruction(bytes)
  }

  /// Returns the size that is passed as the second argument.
  private static func size(in state: State) -> UInt64? {
    typealias Register = MachineInstruction.Register
    guard case .constant(let size) = state.registers[Register.si],
      case .constant(let mask) = state.registers[Register.d], alignmentMasks.contains(mask),
      (UInt64(ObjectLayout.header)...maxSize).contains(size)
    else { return nil }
    return size
  }
}
