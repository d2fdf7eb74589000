import Testing

@testable import TraceAnalysis

@Suite("FNV1a")
struct FNV1aTests {
  @Test(
    "Hashes match the values that the authors of FNV-1a published",
    arguments: [
      ("", 0xCBF2_9CE4_8422_2325), ("a", 0xAF63_DC4C_8601_EC8C),
      ("foobar", 0x8594_4171_F739_67E8),
    ] as [(String, UInt64)])
  func values(text: String, value: UInt64) {
    var hash = FNV1a()
    hash.add(text.utf8)
    #expect(hash.value == value)
  }

  @Test("A hash is written with sixteen digits, including leading zeros")
  func digits() {
    #expect(UInt64(0xA5).hexadecimalText == "00000000000000a5")
    #expect(UInt64.max.hexadecimalText == "ffffffffffffffff")
  }
}
