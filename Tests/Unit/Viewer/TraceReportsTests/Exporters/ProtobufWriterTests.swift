import Testing

@testable import TraceReports

@Suite("ProtobufWriter")
struct ProtobufWriterTests {
  private func write(_ body: (inout ProtobufWriter) -> Void) -> [UInt8] {
    var writer = ProtobufWriter()
    body(&writer)
    return writer.bytes
  }

  // The examples are from the documentation of the encoding.
  @Test("The Protobuf writer produces the bytes in the documentation")
  func documented() {
    #expect(write { $0.varint(1, 150) } == [0x08, 0x96, 0x01])
    #expect(
      write { $0.string(2, "testing") } == [0x12, 0x07, 0x74, 0x65, 0x73, 0x74, 0x69, 0x6E, 0x67])
    #expect(write { $0.message(3) { $0.varint(1, 150) } } == [0x1A, 0x03, 0x08, 0x96, 0x01])
    #expect(
      write {
        $0.string(4, "hello")
        for element: UInt64 in 1...3 { $0.varint(5, element) }
      } == [0x22, 0x05, 0x68, 0x65, 0x6C, 0x6C, 0x6F, 0x28, 0x01, 0x28, 0x02, 0x28, 0x03])
    #expect(
      write { $0.varint(1, UInt64(bitPattern: -2)) }
        == [0x08, 0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01])
    #expect(
      write { $0.data(6, [0x03, 0x8E, 0x02, 0x9E, 0xA7, 0x05]) }
        == [0x32, 0x06, 0x03, 0x8E, 0x02, 0x9E, 0xA7, 0x05])
  }

  @Test("The Protobuf writer encodes numbers of every size")
  func numbers() {
    #expect(write { $0.varint(1, 0) } == [0x08, 0x00])
    #expect(write { $0.varint(15, 127) } == [0x78, 0x7F])
    #expect(write { $0.varint(16, 128) } == [0x80, 0x01, 0x80, 0x01])
    #expect(
      write { $0.varint((1 << 29) - 1, .max) }
        == [0xF8, 0xFF, 0xFF, 0xFF, 0x0F] + Array(repeating: 0xFF, count: 9) + [0x01])
    #expect(write { $0.bool(1, true) } == [0x08, 0x01])
    #expect(write { $0.fixed64(1, 0x0102_0304_0506_0708) } == [0x09, 8, 7, 6, 5, 4, 3, 2, 1])
    #expect(write { $0.string(1, "") } == [0x0A, 0x00])
    #expect(write { $0.string(1, "é") } == [0x0A, 0x02, 0xC3, 0xA9])
    #expect(write { $0.message(1) { _ in } } == [0x0A, 0x00])
  }

  @Test(
    "The length before a message is correct for every size",
    arguments: [0, 1, 126, 127, 128, 129, 16_383, 16_384, 16_385, 2_097_151, 2_097_152])
  func lengths(length: Int) {
    let content = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    // A message has the same encoding as bytes, so both must agree.
    var inner = ProtobufWriter()
    inner.data(2, content)
    let expected = write {
      $0.bool(7, false)
      $0.data(1, inner.bytes)
      $0.bool(9, true)
    }
    let message = write {
      $0.bool(7, false)
      $0.message(1) { $0.data(2, content) }
      $0.bool(9, true)
    }
    #expect(message == expected)
  }

  @Test("Deeply nested messages are encoded correctly")
  func nested() {
    var expected: [UInt8] = []
    for level in 0..<40 {
      let inner = expected
      expected = write {
        $0.varint(1, UInt64(level))
        $0.data(2, inner)
        $0.string(3, "abcdefghij")
      }
    }
    func nest(_ level: Int, _ writer: inout ProtobufWriter) {
      writer.varint(1, UInt64(level))
      writer.message(2) { if level > 0 { nest(level - 1, &$0) } }
      writer.string(3, "abcdefghij")
    }
    #expect(write { nest(39, &$0) } == expected)
  }

  @Test("The Protobuf writer starts over after its bytes were removed")
  func pieces() {
    var writer = ProtobufWriter()
    writer.varint(1, 1)
    writer.removeBytes()
    writer.varint(1, 2)
    #expect(writer.bytes == [0x08, 0x02])
  }
}
