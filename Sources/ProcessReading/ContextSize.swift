import SwiftRuntime

/// The size of a closure's context, read from the code that deallocates it.
///
/// If the compiler doesn't describe a context, each of its words can be a reference. The
/// allocator's block is up to a word larger than the context, and that word can still have an
/// address from the previous use of the block. Such a word led to a wrong cycle in 13 of 40 runs of
/// a planted leak. The code that deallocates the context contains its size.
package enum ContextSize {
  /// The first bytes of instructions (Intel 64 and IA-32 Architectures Software Developer's Manual,
  /// volume 2). `swift_deallocObject` gets the size in `esi`, and the mask of the alignment in
  /// `edx` (System V ABI for x86-64).
  private enum Code {
    static let moveToESI: UInt8 = 0xBE
    static let moveToEDX: UInt8 = 0xBA
    /// The size of these two instructions, with their constant.
    static let moveSize = 5
    static let end: UInt8 = 0xC3
    static let filling: [UInt8] = [0x66, 0x90, 0x0F, 0xCC]
  }

  /// The masks for an alignment of 8 and of 16.
  private static let alignmentMasks = [7, 15]
  private static let maxSize = 65536

  /// The number of bytes of code to search. The code releases the captured values before it passes
  /// the size.
  private static let reach: UInt = 1024

  /// Returns the size in bytes that the code passes to `swift_deallocObject`, or nil if the size
  /// isn't a constant. Supports only x86-64.
  package static func size(freedBy code: UInt, _ memory: ProcessMemory) -> Int? {
    #if arch(x86_64)
      var bytes: [UInt8] = []
      for offset in stride(from: 0, to: reach, by: 8) {
        guard let word = memory.word(code &+ offset) else { break }
        withUnsafeBytes(of: word.littleEndian) { bytes += $0 }
      }
      return size(in: bytes)
    #else
      return nil
    #endif
  }

  /// Returns the first constant that is moved to `esi` immediately before an alignment is moved to
  /// `edx`. Stops at the end of the function: a return, followed by padding up to the next multiple
  /// of 16.
  package static func size(in code: [UInt8]) -> Int? {
    for index in code.indices.dropLast(2 * Code.moveSize) {
      if code[index] == Code.end, Code.filling.contains(code[index + 1]) || index % 16 == 15 {
        return nil
      }
      let next = index + Code.moveSize
      guard code[index] == Code.moveToESI, code[next] == Code.moveToEDX,
        alignmentMasks.contains(constant(at: next + 1, in: code))
      else { continue }
      let size = constant(at: index + 1, in: code)
      return (ObjectLayout.header...maxSize).contains(size) ? size : nil
    }
    return nil
  }

  /// Returns the constant of an instruction, which takes four bytes.
  private static func constant(at index: Int, in code: [UInt8]) -> Int {
    code[index..<index + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
