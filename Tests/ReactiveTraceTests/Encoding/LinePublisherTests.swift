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
