import ReactiveKit
import TestSupport
import Testing

@testable import HeapGraph
@testable import ProcessMemory
@testable import ReactiveTrace

@Suite("Reused memory")
struct StaleMemoryTests {
  private final class Screen {}

  /// An object of a different size, which changes the last digits of the following addresses.
  private final class WideScreen {
    let words = (0, 0, 0)
  }

  #if os(Linux)
    @Test(
      "A stale address in the padding of a chain's state isn't a reference",
      .enabled(if: !isSanitized, "a sanitizer might not give any object such an address"))
    func chain() throws {
      // The state of a chain is one byte, which is 0, so only an address that ends with 0x00 can
      // remain intact.
      let screens: [AnyObject] = (0..<4096).map {
        $0 % 7 == 0 ? WideScreen() as AnyObject : Screen()
      }
      let stale = try #require(screens.map(address).first { $0 & 0xFF == 0 })
      let chain = ChainDisposable()
      let memory = try #require(UnsafeMutableRawPointer(bitPattern: address(chain)))
      // The state is the first field, after the two words of the object header.
      for index in 1..<8 {
        let byte = UInt8(truncatingIfNeeded: stale >> UInt(8 * index))
        memory.storeBytes(of: byte, toByteOffset: 16 + index, as: UInt8.self)
      }
      #expect(memory.load(fromByteOffset: 16, as: UInt.self) == stale)
      let heap = try #require(Heap())
      let object = try #require(heap.object(at: address(chain)))
      #expect(heap.object(at: stale) != nil)
      #expect(!heap.references(from: object).contains { $0.target == stale })
      withExtendedLifetime((screens, chain)) {}
    }
  #endif

  private func address(_ object: AnyObject) -> UInt {
    UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
  }
}
