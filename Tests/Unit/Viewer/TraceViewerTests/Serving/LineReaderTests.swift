import SystemLibrary
import Testing

@testable import trace_viewer

@Suite("LineReader")
struct LineReaderTests {
  @Test("Lines arrive whole, also if they are written in pieces")
  func pieces() {
    let pipe = RequestPipe()
    var reader = LineReader(pipe.input, maxBytes: 100)
    #expect(reader.next(waits: false) == .nothing)
    pipe.write("one\ntw")
    #expect(reader.next(waits: true) == .line(Array("one".utf8)))
    #expect(reader.next(waits: false) == .nothing)
    pipe.write("o\n\nthree")
    #expect(reader.next(waits: true) == .line(Array("two".utf8)))
    #expect(reader.next(waits: true) == .line([]))
    #expect(reader.next(waits: false) == .nothing)
    pipe.end()
    #expect(reader.next(waits: true) == .line(Array("three".utf8)))
    #expect(reader.next(waits: true) == .end)
    #expect(reader.next(waits: false) == .end)
  }

  @Test("A line that is too long is dropped, and the next line is read")
  func tooLong() {
    let pipe = RequestPipe()
    var reader = LineReader(pipe.input, maxBytes: 4)
    pipe.write("12345")
    #expect(reader.next(waits: false) == .nothing)
    pipe.write("6789\n1234\n12345\n")
    #expect(reader.next(waits: true) == .tooLong)
    #expect(reader.next(waits: true) == .line(Array("1234".utf8)))
    #expect(reader.next(waits: true) == .tooLong)
    pipe.write("123456")
    pipe.end()
    #expect(reader.next(waits: true) == .tooLong)
    #expect(reader.next(waits: true) == .end)
  }
}

/// A pipe to a server, which a test writes.
final class RequestPipe {
  let input: Int32
  private var output: Int32

  init() {
    var descriptors: [Int32] = [-1, -1]
    let result = pipe(&descriptors)
    #expect(result == 0)
    (input, output) = (descriptors[0], descriptors[1])
  }

  deinit {
    close(input)
    end()
  }

  func write(_ text: String) {
    let bytes = Array(text.utf8)
    #expect(systemWrite(output, bytes, bytes.count) == bytes.count)
  }

  /// Ends the input of the server.
  func end() {
    if output >= 0 { close(output) }
    output = -1
  }
}
