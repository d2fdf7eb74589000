import Foundation
import Testing

@testable import ReactiveTrace
@testable import TraceFormat

@Suite("Publishing a log line")
struct LinePublisherTests {
  /// Covers characters of one to four bytes and escapes of two and six, at every offset from the
  /// 16-byte steps.
  @Test("Publishing a line writes exactly its bytes and nothing after them", arguments: 0..<64)
  func exact(shift: Int) {
    for text in ["", "plain", "é漢👩‍👧", "\n\"\\\u{1}\u{1F}", "a\u{0}é\u{2}👍\\\\"] {
      var line = LineBuffer()
      defer { line.deallocate() }
      line.begin(at: shift * 7_777_777_777, .next)
      line.text(.lane, String(repeating: "x", count: shift) + text)
      line.text(.value, String(repeating: text, count: shift))
      line.integer(.thread, shift)
      line.end()
      let target = Memory(line.count + 64)
      LinePublisher.publish(line, to: target.start)
      #expect(target.bytes.prefix(line.count + 1) == line.finishedBytes[...])
      #expect(target.bytes.dropFirst(line.count).allSatisfy { $0 == UInt8(ascii: "\n") })
    }
  }

  @Test("A step ends at the last boundary between two characters")
  func boundaries() {
    var numbers = SystemRandomNumberGenerator()
    let pieces = ["a", "b", "\\\"", "\\\\", "\\n", "\\u0001", "é", "漢", "👍"]
    for _ in 0..<500 {
      let text = (0..<24).map { _ in pieces.randomElement(using: &numbers) ?? "" }
      // The offsets between the characters, after the bytes that precede the value in a line.
      let margin = 16
      var offsets = [margin]
      for piece in text { offsets.append((offsets.last ?? 0) + piece.utf8.count) }
      let line = Array((String(repeating: "\"", count: margin) + text.joined()).utf8)
      line.withUnsafeBytes { bytes in
        guard let start = bytes.baseAddress else { return }
        for first in offsets {
          for limit in (first + 6)..<(first + 15) where limit <= line.count {
            let expected = offsets.last { $0 <= limit }
            let found = LinePublisher.boundary(atMost: limit, after: first, in: start)
            #expect(found == expected, "\(text.joined()) \(first) \(limit)")
          }
        }
      }
    }
  }

  @Test("Every key of the log format fits in one publishing step")
  func keys() {
    let header = HeaderLine.bytes(.golden)
    #expect(header.count > 100)
    #expect(LogFormat.Key.allCases.allSatisfy { $0.rawValue.utf8.count <= 9 })
    #expect(LogFormat.Key.allCases.filter { $0.rawValue.utf8.count == 9 } == [.truncated])
  }
}

/// Memory full of newlines.
final class Memory {
  let start: UnsafeMutableRawPointer
  private let count: Int

  init(_ count: Int) {
    self.count = count
    start = .allocate(byteCount: count, alignment: 16)
    start.initializeMemory(as: UInt8.self, repeating: UInt8(ascii: "\n"), count: count)
  }

  deinit { start.deallocate() }

  var bytes: [UInt8] { Array(UnsafeRawBufferPointer(start: start, count: count)) }
}
