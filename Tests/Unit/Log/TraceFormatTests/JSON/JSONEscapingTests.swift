import Testing

@testable import TraceFormat

@Suite("Escaping for JSON")
struct JSONEscapingTests {
  private func expected(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "\"": "\\\""
      case "\\": "\\\\"
      case "\n": "\\n"
      case "\t": "\\t"
      case "\u{1}": "\\u0001"
      case "\u{1F}": "\\u001F"
      default: String(scalar)
      }
    }.joined()
  }

  private func written(_ text: String) -> String {
    let utf8 = Array(text.utf8)
    let size = utf8.count * JSONEscaping.worstGrowth + 16
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size + 8, alignment: 16)
    defer { memory.deallocate() }
    memory.initializeMemory(as: UInt8.self, repeating: 0xEE)
    guard let start = memory.baseAddress else { return "" }
    let count = utf8.withUnsafeBufferPointer { JSONEscaping.write($0, to: start) }
    #expect(memory.dropFirst(size).allSatisfy { $0 == 0xEE })
    return String(decoding: memory.prefix(count), as: UTF8.self)
  }

  @Test("Text of every length has its escape at every position", arguments: 1..<40)
  func positions(length: Int) {
    for position in 0..<length {
      for character in ["\"", "\\", "\n", "\t", "\u{1}", "\u{1F}", "é", "👍"] {
        let rest = String(repeating: "x", count: length - position - 1)
        let text = String(repeating: "a", count: position) + character + rest
        #expect(written(text) == expected(text))
      }
    }
  }

  @Test("Random text with many escapes is escaped everywhere")
  func random() {
    var numbers = SystemRandomNumberGenerator()
    let pieces = ["a", "bcdefghi", "\"", "\\", "\n", "\u{1}", "é", "漢"]
    for _ in 0..<2000 {
      let count = Int.random(in: 0..<30, using: &numbers)
      let text = (0..<count).map { _ in pieces.randomElement(using: &numbers) ?? "" }.joined()
      #expect(written(text) == expected(text))
    }
  }
}
