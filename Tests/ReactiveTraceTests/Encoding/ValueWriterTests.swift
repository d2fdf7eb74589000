import Foundation
import Testing

@testable import ReactiveTrace
@testable import TraceAnalysis
@testable import TraceFormat

private enum Phase: String, CaseIterable { case idle, loading, loaded }
private enum Level: Int, CustomStringConvertible {
  case low = 1
  case high = 2
  var description: String { "level \(rawValue)" }
}
private enum Payload: RawRepresentable, Equatable {
  case number(Int8)
  init?(rawValue: Int) { self = .number(Int8(truncatingIfNeeded: rawValue)) }
  var rawValue: Int {
    switch self {
    case .number(let number): Int(number)
    }
  }
}
private struct Flags: OptionSet { let rawValue: UInt8 }
private struct Point { var x = 1; var y = "a" }
private final class Thing: CustomStringConvertible { var description: String { "thing" } }

/// The text that a writer makes of a value, and how long the whole of it is.
private func written<Value>(_ value: Value, limit: Int = .max) -> (text: String, total: Int) {
  let writer = ValueWriter<Value>.describing()
  var buffer = TextBuffer()
  defer { buffer.deallocate() }
  buffer.begin(limit: limit)
  switch writer.way {
  case .text: buffer.append(writer.described(value))
  default:
    let thread = ThreadContext.current
    thread.pointee.text.begin(limit: limit)
    writer.write(value, to: UnsafeMutableRawPointer(thread))
    return (thread.pointee.text.string(within: limit), thread.pointee.text.total)
  }
  return (buffer.string(within: limit), buffer.total)
}

private func expectDescription<Value>(
  _ values: Value..., sourceLocation: SourceLocation = #_sourceLocation
) {
  for value in values {
    let expected = String(describing: value)
    let (text, total) = written(value)
    #expect(text == expected, sourceLocation: sourceLocation)
    #expect(total == expected.utf8.count, sourceLocation: sourceLocation)
  }
}

@Suite("the text of an element")
struct ValueWriterTests {
  @Test("is that of String(describing:), whatever its type")
  func types() {
    expectDescription(0, 1, -1, 9, 10, 99, 100, 99_999_999, 100_000_000, Int.max, Int.min)
    expectDescription(Int8.min, Int8.max)
    expectDescription(UInt64.max, 0)
    expectDescription(Int32.min, UInt16.max.byteSwapped == 0 ? 0 : 7)
    expectDescription(true, false)
    expectDescription(
      0.0, -0.0, 1, 0.1, 1e100, .leastNonzeroMagnitude, .pi, .infinity, -.infinity, Double.nan)
    expectDescription(Float(0.1), .greatestFiniteMagnitude, -.leastNonzeroMagnitude)
    expectDescription("", "a", "swift", "a\n\"\\\u{0}", "é漢👩‍👩‍👧", String(repeating: "x", count: 3000))
    expectDescription("substring".dropFirst(3), "")
    expectDescription("a" as Character, "👩‍👩‍👧", "\n")
    expectDescription(UUID(), UUID())
    expectDescription(Int?.none, 3, -4)
    expectDescription(Int??.none, .some(nil), 3)
    expectDescription(["it's", "a\tb", "plain", "é", "\u{7F}"] as [String?], [])
    expectDescription(["x".dropFirst(0), "q'".dropFirst(0)])
    expectDescription(["c", "'"] as [Character], [])
    expectDescription([1, 2], [], [3])
    expectDescription([[1], []], [[]] as [[Int]])
    expectDescription([1.5, nil] as [Double?], [])
    expectDescription(Phase.idle, .loading, .loaded)
    expectDescription(Level.low, .high)
    expectDescription(Payload.number(1), .number(-1))
    expectDescription(Flags(rawValue: 3), [])
    expectDescription(Point(), Point(x: 2, y: "b"))
    expectDescription(Thing())
    expectDescription((1, "a"))
    expectDescription(["a": 1])
    expectDescription(Date(timeIntervalSince1970: 0))
  }

  @Test("is right for any of many values of a type with few texts kept")
  func cached() {
    let writer = ValueWriter<Flags>.describing()
    let thread = ThreadContext.current
    for round in 0..<2 {
      for raw in 0...UInt8.max {
        thread.pointee.text.begin(limit: .max)
        writer.write(Flags(rawValue: raw), to: UnsafeMutableRawPointer(thread))
        let text = thread.pointee.text.string(within: .max)
        #expect(text == String(describing: Flags(rawValue: raw)), "round \(round)")
      }
    }
  }

  @Test("is cut at the limit between characters, and its whole length told", arguments: 0...40)
  func cut(limit: Int) {
    for text in [String(repeating: "ab", count: 100), String(repeating: "é漢👍", count: 10)] {
      let (cut, total) = written(text, limit: limit)
      #expect(total == text.utf8.count)
      #expect(text.hasPrefix(cut) || cut.isEmpty)
      #expect(cut.utf8.count == text.bytesOfCharacters(within: limit))
    }
    let numbers = Array(0..<100)
    let (cut, total) = written(numbers, limit: limit)
    #expect(total == String(describing: numbers).utf8.count)
    #expect(cut == String(String(describing: numbers).prefix(limit)))
  }
}

@Suite("the record of an element")
struct NextLineTests {
  /// A line as the ordinary way makes it.
  private func ordinary(_ time: Int, _ part: EncodedPart, _ value: String, _ thread: Int)
    -> [UInt8]
  {
    var line = LineBuffer()
    defer { line.deallocate() }
    line.begin(at: time, .next)
    line.part(part)
    line.text(.value, value)
    line.integer(.thread, thread)
    line.end()
    return line.finishedBytes
  }

  private static let texts =
    (0...16).map { String("0123456789abcdef".prefix($0)) }
    + (0...16).map { String(repeating: "é", count: $0 / 2) + ($0 % 2 == 0 ? "" : "x") }
    + ["\"", "\n", "a\\b", "\u{0}", "12345678\n", "123456789012345\"", "漢漢漢漢漢", "👍👍👍👍"]
    + [17, 31, 32, 33, 200].map { String(repeating: "long é \n", count: $0) }

  @Test(
    "has the same bytes whether it is put together first or not",
    arguments: [0, 7, 12, 999, 12_345_678, 99_999_999, 100_000_000, 123_456_789_012, 1 << 52],
    ["a", "lane of \"é漢👍\" \n and more"])
  func same(time: Int, lane: String) {
    for thread in [1, 9, 10, 99, 12345] {
      var builder = LineBuffer()
      defer { builder.deallocate() }
      let part = builder.encode { line in
        line.integer(.sub, thread * 77)
        line.text(.lane, lane)
      }
      let next = ElementLineTemplate(thread * 77, lane, &builder)
      defer { next.free() }
      let rest = Array("\",\"thread\":\(thread)}".utf8)
      let words = (rest + [UInt8](repeating: 0, count: 16)).withUnsafeBytes {
        ($0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      }
      for text in Self.texts {
        let expected = ordinary(time, part, text, thread)
        var buffer = builder
        buffer.reserve(64 + text.utf8.count * 6)
        let value = buffer.bytes + ElementLineTemplate.margin
        var copy = text
        let count = copy.withUTF8 { JSONEscaping.write($0, to: value) }
        (value + count).copyMemory(from: rest, byteCount: rest.count)
        let memory = Memory(expected.count + 64)
        next.publish(LinePrefix(time), value: value, count, rest: rest.count, to: memory.start)
        #expect(memory.bytes.prefix(expected.count) == expected[...])
        #expect(memory.bytes.dropFirst(expected.count).allSatisfy { $0 == 0x0A })
        builder = buffer

        guard rest.count <= 16, let short = copy.withUTF8({ ShortText($0) }) else { continue }
        let other = Memory(expected.count + 64)
        next.publish(LinePrefix(time), short, rest: words, rest.count, to: other.start)
        #expect(other.bytes.prefix(expected.count) == expected[...], "\(text) \(thread)")
        #expect(other.bytes.dropFirst(expected.count).allSatisfy { $0 == 0x0A })
      }
    }
  }

  @Test("takes the short path for short, plain values")
  func short() {
    func isShort(_ text: String) -> Bool {
      var text = text
      return text.withUTF8 { ShortText($0) } != nil
    }
    for count in 0...16 { #expect(isShort(String(repeating: "x", count: count))) }
    #expect(!isShort(String(repeating: "x", count: 17)))
    #expect(isShort("éé"))
    #expect(!isShort("ééééééé"))
    #expect(!isShort("\""))
    #expect(ShortText(99_999_999)?.count == 8)
    #expect(ShortText(100_000_000) == nil)
    #expect(ShortText(-1) == nil)
  }
}
