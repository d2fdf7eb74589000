import Foundation
import Testing

@testable import TraceAnalysis
@testable import TraceFormat

@Suite("The fast parser for waits")
struct QuickWaitTests {
  private static let keys = [
    #","lane":"load \"é\"""#, #","source":"A/B.swift:7""#, #","function":"run()""#,
    #","observed":"call.2","frames":"0x1 0x2""#, #","wait":"task""#,
    #","awaits":[{"sub":8},{"sub":9}]"#,
  ]

  /// - Parameter isSpaced: True to add a space, so that the full parser reads the line.
  private func describe(_ line: String, isSpaced: Bool) -> String? {
    let text = isSpaced ? "{ " + line.dropFirst() : line
    var parser = RecordParser()
    return Array(text.utf8).withUnsafeBufferPointer { bytes in
      guard let record = try? parser.parse(bytes) else { return nil }
      switch record.body {
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
      let changed = line.replacingOccurrences(of: old, with: new)
      #expect(changed != line)
      #expect(
        describe(changed, isSpaced: false) == describe(changed, isSpaced: true), "\(changed)")
    }
    for end in 1..<line.count {
      #expect(describe(String(line.prefix(end)), isSpaced: false) == nil)
    }
  }

  @Test("The number of a task is read from the beginning of its subscription")
  func number() {
    let line =
      #"{"t":1,"event":"subscribe","sub":7,"lane":"a","thread":1,"op":"task","type":"-","task":31}"#
    for text in [line, "{ " + line.dropFirst()] {
      var parser = RecordParser()
      let number = Array(text.utf8).withUnsafeBufferPointer { bytes -> UInt64? in
        guard case .subscribe(let it)? = try? parser.parse(bytes).body else { return nil }
        return it.op == .task ? it.task : nil
      }
      #expect(number == 31)
    }
  }
}
