import Foundation
import Testing

@testable import TraceAnalysis
@testable import TraceFormat

@Suite("The fast parser for beginnings")
struct QuickBeginningTests {
  private static let keys = [
    #","thread":3"#, #","op":"lane""#, #","source":"A/B.swift:7""#, #","function":"bind(\"é\")""#,
    #","type":"Int""#, #","parent":0"#, #","cause":18446744073709551615"#, #","scope":4"#,
    #","lifetime":"process""#, #","observed":"call.1""#,
  ]

  /// - Parameter isSpaced: True to add a space, so that the full parser reads the line.
  private func describe(_ line: String, isSpaced: Bool) -> String? {
    let text = isSpaced ? "{ " + line.dropFirst() : line
    var parser = RecordParser()
    return Array(text.utf8).withUnsafeBufferPointer { bytes in
      guard let record = try? parser.parse(bytes), case .subscribe(let it) = record.body else {
        return nil
      }
      let texts = [it.lane, it.source, it.function, it.type, it.observed].map {
        $0?.string ?? "nil"
      }
      let numbers = [it.thread, it.parent?.number, it.cause?.number, it.scope].map {
        $0.map { "\($0)" } ?? "nil"
      }
      return "\(record.time.count) \(it.id) \(texts) \(numbers) \(it.livesUntilExit) "
        + "\(it.op?.rawValue ?? "nil")"
    }
  }

  @Test(
    "The fast parser agrees with the full parser for any set of keys",
    arguments: 0..<1024)
  func keys(set: Int) {
    let some = Self.keys.enumerated().filter { set & 1 << $0.offset != 0 }.map(\.element)
    let line = #"{"t":12,"event":"subscribe","sub":7,"lane":"search""# + some.joined() + "}"
    #expect(describe(line, isSpaced: false) != nil)
    #expect(describe(line, isSpaced: false) == describe(line, isSpaced: true))
    let reversed = #"{"t":12,"event":"subscribe","sub":7,"lane":"x""# + some.reversed().joined()
    #expect(describe(reversed + "}", isSpaced: false) == describe(reversed + "}", isSpaced: true))
  }

  @Test("The fast parser agrees with the full parser for unusual values")
  func others() {
    let line = #"{"t":12,"event":"subscribe","sub":7,"lane":"search""# + Self.keys.joined() + "}"
    for (old, new) in [
      (#""process""#, "null"), (#""process""#, #""other""#), (":3,", ":3.5,"), (":3,", ":03,"),
      (":7,", ":0,"), (#""lane":"search","#, ""), (":4,", ":-4,"), (":4,", #":"4","#),
      ("}", ""), ("}", "} "), ("}", #","x":1}"#), ("Int", "\\u0041\\n"), ("Int", "\u{1}"),
      ("18446744073709551615", "18446744073709551616"), (#""op":"lane""#, #""op":"of later""#),
    ] {
      let changed = line.replacingOccurrences(of: old, with: new)
      #expect(changed != line)
      #expect(
        describe(changed, isSpaced: false) == describe(changed, isSpaced: true), "\(changed)")
    }
  }
}
