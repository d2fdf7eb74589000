import Testing

@testable import TraceFormat

@Suite("Digits")
struct DigitsTests {
  @Test(
    "Integers of every length are written as decimal digits",
    arguments: [0, 9, 10, 99, 100, 999, 1000, 12_345, 999_999, 1 << 53, Int.max, -1, -42, Int.min])
  func integers(number: Int) throws {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 32, alignment: 16)
    defer { memory.deallocate() }
    let start = try #require(memory.baseAddress)
    let length = Digits.write(number, to: start)
    #expect(String(decoding: memory.prefix(length), as: UTF8.self) == String(number))
  }
}
