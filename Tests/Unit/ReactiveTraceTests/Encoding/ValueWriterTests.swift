import Foundation
import SystemLibrary
import TestSupport
import Testing

@testable import ReactiveTrace
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
private struct Tagged<Tag> { var tag: Int }
private final class Thing: CustomStringConvertible { var description: String { "thing" } }

/// Returns the text that a writer produces for a value, and its length before it was cut.
private func written<Value>(_ value: Value, limit: Int = .max) -> (text: String, total: Int) {
  let writer = ValueWriter<Value>.describing()
  var buffer = TextBuffer()
  defer { buffer.deallocate() }
  buffer.begin(limit: limit)
  if writer.usesPlan {
    writer.write(value, to: &buffer)
  } else {
    buffer.append(writer.described(value))
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

@Suite("The text of elements")
struct ValueWriterTests {
  @Test("Strings in other values are quoted like String(describing:) does", arguments: 0..<24)
  func nested(length: Int) {
    expectDescription([String(repeating: "s", count: length)])
    for position in 0..<length {
      for character in ["\"", "'", "\\", "\u{7F}", "\u{1F}", "~", " ", "\n", "é", "👍"] {
        var text = Array(repeating: "s", count: length)
        text[position] = character
        expectDescription([text.joined()])
      }
    }
  }

  @Test("Numbers and quoted strings that don't fit into the buffer are written completely")
  func growing() {
    for length in 440..<540 {
      let start = String(repeating: "x", count: length)
      expectDescription((start, -1234.25), (start, 0.5))
      expectDescription((start, "quoted"), (start, "it's"))
      expectDescription((start, true, Int?.none, false), (start, false, 7, true))
      let whole = String(describing: (start, -1234.25, "quoted"))
      for limit in [length - 60, length, length + 4] {
        let (text, total) = written((start, -1234.25, "quoted"), limit: limit)
        #expect(whole.hasPrefix(text) && text.utf8.count == min(limit, whole.utf8.count))
        #expect(total <= whole.utf8.count)
      }
    }
  }

  @Test("The text of an element matches String(describing:) for every type")
  func types() {
    expectDescription(0, 1, -1, 9, 10, 99, 100, 99_999_999, 100_000_000, Int.max, Int.min)
    expectDescription(Int8.min, Int8.max)
    expectDescription(UInt64.max, 0)
    expectDescription(Int32.min, UInt16.max.byteSwapped == 0 ? 0 : 7)
    expectDescription(true, false)
    expectDescription(
      0.0, -0.0, 1, 0.1, 1e100, .leastNonzeroMagnitude, .pi, .infinity, -.infinity, Double.nan)
    expectDescription(Float(0.1), .greatestFiniteMagnitude, -.leastNonzeroMagnitude)
    expectDescription("", "a", "swift", "a\n\"\\\u{0}", "é漢👩‍👩‍👧")
    expectDescription(String(repeating: "x", count: 3000))
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

  @Test("Text is written into the thread's buffer only if no user code runs")
  func ways() {
    func way<Value>(_ type: Value.Type) -> ValueWriter<Value>.Way {
      // Without a plan after a millisecond, because other threads make plans, the way is `text`.
      for _ in 0..<1000 {
        let writer = ValueWriter<Value>.describing()
        if writer.way != .text { return writer.way }
      }
      return .text
    }
    #expect(way(Int.self) == .planned)
    #expect(way([String: [Point?]].self) == .planned)
    #expect(way(Phase.self) == .planned)
    #expect(way(Any.self) == .apart)
    #expect(way([Thing].self) == .apart)
    #expect(way((Int, Level).self) == .apart)
    #expect(way(Level.self) == .text)
    #expect(way(Thing.self) == .apart)
  }

  @Test("Floating-point numbers with few decimals match String(describing:)")
  func decimals() {
    var numbers = FixedNumbers(seed: 7)
    for digits in 0..<17 {
      for _ in 0..<500 {
        let whole = Double(
          Int.random(
            in: -(Int(pow(10, Double(digits))))...Int(pow(10, Double(digits))), using: &numbers))
        for scale in [1.0, 10, 100, 1000, 10_000, 100_000] {
          let number = whole / scale
          for near in [number, number.nextUp, number.nextDown] {
            #expect(written(near).text == String(describing: near))
          }
        }
      }
    }
    expectDescription(
      1e15, 1e15 + 0.5, 1e11, 99_999_999_999.9999, 0.0001, 0.00011, 0.00009, 1e-4, -0.0001)
  }

  @Test("Many threads can write values of types that don't have a plan yet")
  func threads() {
    let wrong = BlockingMutex<[String]>([])
    onThreads(8) { number in
      func check<Value>(_ value: Value) {
        let text = written(value).text
        if text != String(describing: value) { wrong.withLock { $0.append(text) } }
      }
      for round in 0..<20 {
        check([Optional(Tagged<Int8>(tag: round))])
        check((number, Tagged<Int16>(tag: round), ["a": Tagged<[Int16]>(tag: 1)]))
        check(Tagged<[Int32?]>(tag: number) as Any)
      }
    }
    #expect(wrong.withLock { $0 } == [])
  }

  @Test(
    "Text is truncated between characters at the limit, and its full length is returned",
    arguments: 0...40)
  func cut(limit: Int) {
    for text in [
      String(repeating: "ab", count: 100), String(repeating: "é漢👍", count: 10),
      // Two ASCII bytes are one character, and an accent belongs to the letter before it.
      String(repeating: "a\r\n", count: 40), String(repeating: "e\u{301}x", count: 40),
    ] {
      let (cut, total) = written(text, limit: limit)
      #expect(total == text.utf8.count)
      #expect(text.hasPrefix(cut) || cut.isEmpty)
      #expect(cut.utf8.count == text.bytesOfCharacters(within: limit))
    }
    let numbers = Array(0..<100)
    let (cut, total) = written(numbers, limit: limit)
    // The writer doesn't write a long collection to its end.
    #expect(total > limit && total < limit + 100)
    #expect(cut == String(String(describing: numbers).prefix(limit)))
  }
}

@Suite("Element records with a value")
struct NextLineTests {
  /// Encodes a line with `LineBuffer`, without a template.
  private func ordinary(_ time: Int, _ lane: String, _ value: String, _ thread: Int) -> [UInt8] {
    var line = LineBuffer()
    defer { line.deallocate() }
    line.begin(at: time, .next)
    line.integer(.sub, thread * 77)
    line.text(.lane, lane)
    line.text(.value, value)
    line.integer(.thread, thread)
    line.end()
    return line.finishedBytes
  }

  private static let texts: [String] = {
    let starts = (0...16).map { String("0123456789abcdef".prefix($0)) }
    let accents = (0...16).map { (count: Int) -> String in
      String(repeating: "é", count: count / 2) + (count % 2 == 0 ? "" : "x")
    }
    let lines = [17, 31, 32, 33, 200].map { String(repeating: "long é \n", count: $0) }
    let others = [
      "\"", "\n", "a\\b", "\u{0}", "12345678\n", "123456789012345\"", "漢漢漢漢漢", "👍👍👍👍",
    ]
    return starts + accents + lines + others
  }()

  @Test(
    "A template produces the same bytes as the encoder",
    arguments: [0, 7, 12, 999, 12_345_678, 99_999_999, 100_000_000, 123_456_789_012, 1 << 52],
    ["a", "lane of \"é漢👍\" \n and more"])
  func same(time: Int, lane: String) {
    for thread in [1, 9, 10, 99, 12345] {
      var builder = LineBuffer()
      defer { builder.deallocate() }
      let next = ElementLineTemplate(thread * 77, lane, &builder)
      defer { next.free() }
      let rest = Array("\",\"thread\":\(thread)}".utf8)
      let words = (rest + [UInt8](repeating: 0, count: 16)).withUnsafeBytes {
        ($0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      }
      for text in Self.texts {
        let expected = ordinary(time, lane, text, thread)
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

  @Test("Short values without escapes use the short path")
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
