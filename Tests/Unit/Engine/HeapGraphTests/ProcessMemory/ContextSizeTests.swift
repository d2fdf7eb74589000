import Testing

@testable import HeapGraph
@testable import ProcessMemory
@testable import TraceCauses

@Suite("Context sizes from deallocating code")
struct ContextSizeTests {
  /// `mov $size, %esi` and `mov $alignment, %edx`.
  private static func arguments(_ size: UInt8, alignment: UInt8 = 7) -> [UInt8] {
    [0xBE, size, 0, 0, 0, 0xBA, alignment, 0, 0, 0]
  }
  /// `mov 0x10(%r13), %rdi` and a call of `swift_release`.
  private static let release: [UInt8] = [0x49, 0x8B, 0x7D, 0x10] + call
  /// `mov %r13, %rdi`
  private static let passContext: [UInt8] = [0x4C, 0x89, 0xEF]
  private static let call: [UInt8] = [0xE8, 0, 0, 1, 0]
  private static let jumpOut: [UInt8] = [0xE9, 0, 0, 1, 0]
  private static let push: [UInt8] = [0x50]
  private static let pop: [UInt8] = [0x58]
  private static let end: [UInt8] = [0xC3]
  /// The code of another context.
  private static let other = push + release + arguments(0x40) + passContext + pop + jumpOut

  private static func size(_ code: [UInt8]) -> Int? {
    let start: UInt = 0x1000
    return ContextSize.size(freedBy: start) { address in
      let index = Int(address) - Int(start)
      return code.indices.contains(index) ? code[index] : nil
    }
  }

  @Test(
    "A context's size is the constant that is passed with the context and its alignment",
    arguments: [7, 15] as [UInt8])
  func constants(alignment: UInt8) {
    let start = Self.push + Self.release + Self.arguments(0x30, alignment: alignment)
    #expect(Self.size(start + Self.passContext + Self.pop + Self.jumpOut + Self.other) == 0x30)
    #expect(Self.size(start + Self.passContext + Self.call + Self.pop + Self.end) == 0x30)
    // Other functions get a size, too.
    #expect(Self.size(Self.arguments(0x50) + Self.call + Self.other) == 0x40)
  }

  @Test("A context's size is found in unoptimized code, which keeps the context on the stack")
  func unoptimized() {
    // push %rbp; mov %rsp, %rbp; sub $0x10, %rsp; mov %r13, -8(%rbp)
    let start: [UInt8] = [
      0x55, 0x48, 0x89, 0xE5, 0x48, 0x83, 0xEC, 0x10, 0x4C, 0x89, 0x6D, 0xF8,
    ]
    let load: [UInt8] = [0x48, 0x8B, 0x7D, 0xF8]
    let code = start + Self.release + load + Self.arguments(0x20) + Self.call
    #expect(Self.size(code) == 0x20)
    // The size is on the stack.
    let loadSize: [UInt8] = [0x48, 0x8B, 0x75, 0xF0, 0x48, 0x8B, 0x55, 0xE8]
    #expect(Self.size(start + Self.release + load + loadSize + Self.call + Self.other) == nil)
  }

  @Test("A context's size isn't read from the code of the following function")
  func ends() {
    // mov %r14, %rsi; mov %rbx, %rdx: the size and the alignment of a generic type.
    let sizeOfType: [UInt8] = [0x4C, 0x89, 0xF6, 0x48, 0x89, 0xDA]
    let generic = Self.push + Self.passContext + sizeOfType + Self.pop + Self.jumpOut
    #expect(Self.size(generic + Self.other) == nil)
    #expect(Self.size(Self.push + Self.pop + Self.end + Self.other) == nil)
    // The opcode of a return can also be part of other instructions: mov $0xC3C3, %eax.
    #expect(Self.size([0xB8, 0xC3, 0xC3, 0, 0] + Self.other) == 0x40)
  }

  @Test("A jump to the code for several contexts is followed")
  func merged() {
    let jump: [UInt8] = [0xE9, UInt8(Self.other.count), 0, 0, 0]
    let merged = Self.release + Self.arguments(0x28) + Self.passContext + Self.jumpOut
    #expect(Self.size(jump + Self.other + merged) == 0x28)
  }

  @Test("A context's size must be the same on all paths")
  func paths() {
    func branch(_ second: UInt8) -> [UInt8] {
      let first = Self.arguments(0x30) + Self.passContext + Self.jumpOut
      // test %rdi, %rdi; je
      return [0x48, 0x85, 0xFF, 0x74, UInt8(first.count)] + first + Self.arguments(second)
        + Self.passContext + Self.jumpOut
    }
    #expect(Self.size(branch(0x30)) == 0x30)
    #expect(Self.size(branch(0x38)) == nil)
  }

  @Test(
    "A context's size is unknown if the code doesn't contain a size and an alignment",
    arguments: [
      [], [0xBE], [UInt8](arguments(0x30).dropLast()), arguments(8) + passContext + call,
      arguments(0x30, alignment: 3) + passContext + call, arguments(0x30) + call + end,
      // An unknown instruction.
      [0x06] + arguments(0x30) + passContext + call,
    ] as [[UInt8]])
  func unknown(code: [UInt8]) {
    #expect(Self.size(code) == nil)
  }

  #if arch(x86_64) && os(Linux)
    @Test("The sizes of real contexts are exact, even in larger blocks")
    func contexts() throws {
      // Three words after the header: 40 bytes. Four words: 48 bytes, in a block of 56 or more.
      for count in [3, 4] {
        let holder = ClosureHolder(count)
        let heap = try #require(Heap())
        let address = UInt(bitPattern: Unmanaged.passUnretained(holder).toOpaque())
        // After the header, a closure is two words: the code and the context.
        let context = try #require(heap.memory.word(address &+ 24).flatMap(heap.object(at:)))
        #expect(context.kind == .closure)
        #expect(heap.contextSize(context) == 16 + 8 * count)
        // The block size is unknown with the allocator of a sanitizer.
        if let block = heap.blockSize(context.address) { #expect(block >= 16 + 8 * (count | 1)) }
        withExtendedLifetime(holder) {}
      }
    }
  #endif
}

private final class ClosureHolder {
  let closure: () -> Int

  init(_ count: Int) {
    let (a, b, c, d) = (count, count + 1, count + 2, count + 3)
    closure = count == 3 ? { a + b + c } : { a + b + c + d }
  }
}
