import Testing

@testable import TraceFormat

@Suite("Digits")
struct DigitsTests {
  @Test(
    "Integers of every length are written as decimal digits",
    arguments: [
      0, 9, 10, 99, 100, 999, 1000, 12_345, 999_999, 1 << 53, Int.max, -1, -42, Int.min,
      99_999_999, 100_000_000, 100_000_001, 1_000_000_000_000, 9_999_999_999_999_999,
      10_000_000_000_000_000, -99_999_999, -100_000_000,
    ])
  func integers(number: Int) throws {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 32, alignment: 16)
    defer { memory.deallocate() }
    memory.initializeMemory(as: UInt8.self, repeating: 0xEE)
    let start = try #require(memory.baseAddress)
    let length = Digits.write(number, to: start)
    #expect(String(decoding: memory.prefix(length), as: UTF8.self) == String(number))
    #expect(memory.dropFirst(20).allSatisfy { $0 == 0xEE })
  }

  @Test("All integers with a digit at each position are written")
  func positions() throws {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 32, alignment: 16)
    defer { memory.deallocate() }
    let start = try #require(memory.baseAddress)
    var power = 1
    for _ in 0..<18 {
      for digit in 1...9 {
        for number in [digit * power, digit * power - 1, digit * power + 1] {
          let length = Digits.write(number, to: start)
          #expect(String(decoding: memory.prefix(length), as: UTF8.self) == String(number))
        }
      }
      power *= 10
    }
  }
}
