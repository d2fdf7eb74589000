import Foundation
import Testing

@testable import TraceAnalysis
@testable import TraceFormat

/// Returns the facts of a line, or nil if it isn't a record.
///
/// - Parameter isSpaced: True to add a space, so that the full parser reads the line.
private func describe(_ line: String, isSpaced: Bool) -> String? {
  let text = isSpaced ? "{ " + line.dropFirst() : line
  var parser = RecordParser()
  return Array(text.utf8).withUnsafeBufferPointer { bytes in
    guard let record = try? parser.parse(bytes) else { return nil }
    switch record.body {
    case .subscribe(let it):
      let texts = [it.lane, it.source, it.function, it.type, it.observed].map {
        $0?.string ?? "nil"
      }
      let numbers = [it.thread, it.parent?.number, it.cause?.number, it.scope, it.task].map {
        $0.map { "\($0)" } ?? "nil"
      }
      return "\(record.time.count) \(it.id) \(texts) \(numbers) \(it.livesUntilExit) "
        + "\(it.op?.rawValue ?? "nil") \(it.library?.rawValue ?? "nil")"
    case .suspended(let it):
      let texts = [it.lane, it.source, it.function, it.observed].map { $0?.string ?? "nil" }
      return "suspended \(record.time.count) \(it.id) \(texts) \(String(describing: it.wait)) "
        + "\(it.awaited)"
    case .resumed(let id, let lane):
      return "resumed \(record.time.count) \(id) \(lane?.string ?? "nil")"
    default: return "other"
    }
  }
}

private func expectAgreement(_ line: String, changed old: String, to new: String) {
  let changed = line.replacingOccurrences(of: old, with: new)
  #expect(changed != line)
  #expect(describe(changed, isSpaced: false) == describe(changed, isSpaced: true), "\(changed)")
}

@Suite("The fast parser for beginnings")
struct QuickBeginningTests {
  private static let keys = [
    #","thread":3"#, #","op":"lane""#, #","library":"Combine""#,
    #","source":"A/B.swift:7""#, #","function":"bind(\"é\")""#,
    #","type":"Int""#, #","parent":0"#, #","cause":18446744073709551615"#, #","scope":4"#,
    #","lifetime":"process""#, #","observed":"call.1""#,
  ]

  @Test(
    "The fast parser agrees with the full parser for any set of keys",
    arguments: 0..<2048)
  func keys(set: Int) {
    let some = Self.keys.enumerated().filter { set & 1 << $0.offset != 0 }.map(\.element)
    let line = #"{"t":12,"event":"subscribe","sub":7,"lane":"search""# + some.joined() + "}"
    #expect(describe(line, isSpaced: false)?.hasPrefix("12 #7 ") == true)
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
      ("Combine", "Of later"),
    ] {
      expectAgreement(line, changed: old, to: new)
    }
  }

  @Test("The number of a task is read from the beginning of its subscription")
  func number() {
    let line =
      #"{"t":1,"event":"subscribe","sub":7,"lane":"a","thread":1,"op":"task","type":"-","task":31}"#
    for isSpaced in [false, true] {
      let facts = describe(line, isSpaced: isSpaced)
      #expect(facts?.hasSuffix(#""nil", "31"] false task nil"#) == true)
    }
  }
}

@Suite("The fast parser for waits")
struct QuickWaitTests {
  private static let keys = [
    #","lane":"load \"é\"""#, #","source":"A/B.swift:7""#, #","function":"run()""#,
    #","observed":"call.2","frames":"0x1 0x2""#, #","wait":"task""#,
    #","awaits":[{"sub":8},{"sub":9}]"#,
  ]

  @Test("All facts of a wait are read")
  func all() {
    let line = #"{"t":12,"event":"suspended","sub":7"# + Self.keys.joined() + "}"
    let expected =
      #"suspended 12 #7 ["load \"é\"", "A/B.swift:7", "run()", "call.2"] "#
      + "Optional(TraceFormat.UnfinishedTask.Wait.task) [#8, #9]"
    #expect(describe(line, isSpaced: false) == expected)
    #expect(describe(line, isSpaced: true) == expected)
    let resumed = #"{"t":13,"event":"resumed","sub":7,"lane":"load"}"#
    #expect(describe(resumed, isSpaced: false) == "resumed 13 #7 load")
    #expect(describe(resumed, isSpaced: true) == "resumed 13 #7 load")
  }

  @Test("The fast parser agrees with the full parser for any set of keys", arguments: 0..<64)
  func keys(set: Int) {
    let some = Self.keys.enumerated().filter { set & 1 << $0.offset != 0 }.map(\.element)
    for keys in [some, some.reversed()] {
      for event in ["suspended", "resumed"] {
        let line = #"{"t":12,"event":"\#(event)","sub":7"# + keys.joined() + "}"
        #expect(describe(line, isSpaced: false) != nil)
        #expect(describe(line, isSpaced: false) == describe(line, isSpaced: true), "\(line)")
      }
    }
  }

  @Test("The fast parser agrees with the full parser for unusual and damaged values")
  func others() {
    let line = #"{"t":12,"event":"suspended","sub":7"# + Self.keys.joined() + "}"
    for (old, new) in [
      (#""task""#, #""lock""#), (#""task""#, "null"), (#""task""#, "3"),
      (#""task""#, #""t\u0061sk""#),
      (":7,", ":0,"), (":7,", ":-7,"), (":7,", #":"7","#), (":12,", ":12.5,"), ("[{", "[1,{"),
      (#"[{"sub":8},{"sub":9}]"#, "[]"), (#"[{"sub":8},{"sub":9}]"#, "8"), (#":8}"#, #":0}"#),
      (#":8}"#, #":8,"more":1}"#), (#":8}"#, #":"8"}"#), (#":9}]"#, #":9}"#), (#":9}]"#, #":9},]"#),
      ("}", ""), ("load", "\u{1}"), ("run()", "ru\\"), (#""wait""#, #""wait":"group","wait""#),
      (#""sub":7"#, #""sub":7,"thread":3"#), ("suspended", "suspended-later"),
    ] {
      expectAgreement(line, changed: old, to: new)
    }
    for end in 1..<line.count {
      #expect(describe(String(line.prefix(end)), isSpaced: false) == nil)
    }
  }
}
