import Testing

@testable import HeapGraph
@testable import ProcessReading
@testable import ReactiveTrace

@Suite("Context sizes from deallocating code")
struct ContextSizeTests {
  /// `mov $size, %esi` and `mov $alignment, %edx`.
  private static func free(_ size: UInt8, alignment: UInt8 = 7) -> [UInt8] {
    [0xBE, size, 0, 0, 0, 0xBA, alignment, 0, 0, 0]
  }
  private static let call: [UInt8] = [0xE8, 0, 0, 0, 0]
  private static let pop: UInt8 = 0x58

  @Test(
    "A context's size is the first constant that is passed with an alignment",
    arguments: [7, 15] as [UInt8])
  func constants(alignment: UInt8) {
    let code = [Self.pop] + Self.call + Self.free(0x30, alignment: alignment) + Self.call
    #expect(ContextSize.size(in: code + Self.free(0x40)) == 0x30)
  }

  @Test("A context's size isn't read from the code of the following function")
  func ends() {
    let filled: [UInt8] = [Self.pop, 0xC3, 0x66, 0x90]
    #expect(ContextSize.size(in: filled + Self.free(0x30)) == nil)
    let full = [UInt8](repeating: Self.pop, count: 15) + [0xC3]
    #expect(ContextSize.size(in: full + Self.free(0x30)) == nil)
    // The opcode of a return can also be part of other instructions.
    let inside: [UInt8] = [0x48, 0xC3, 0x48]
    #expect(ContextSize.size(in: inside + Self.free(0x30) + Self.call) == 0x30)
  }

  @Test(
    "A context's size is unknown if the code doesn't contain a size and an alignment",
    arguments: [
      [], [0xBE], [UInt8](free(0x30).dropLast()), free(8) + call, free(0x30, alignment: 3) + call,
    ] as [[UInt8]])
  func unknown(code: [UInt8]) {
    #expect(ContextSize.size(in: code) == nil)
  }

  @Test("A word before a block is used only if it is a valid block size")
  func allocators() {
    #expect([0x31, 0x30, 0x35, 0x41].allSatisfy { Allocator.isSize($0, ofBlock: 40) })
    let others: [UInt] = [0, 1, 0x21, 0x32, 0x36, 0x37, 0x38, 0x1000, .max, .max & ~7, 1 << 63]
    #expect(others.allSatisfy { !Allocator.isSize($0, ofBlock: 40) })
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
