import Foundation
import TestSupport
import Testing

@testable import TraceAnalysis
@testable import TraceFormat

@Suite("ElementScanner")
struct ElementScannerTests {
  /// - Parameter rest: The bytes after the line, which the scanner may examine.
  private func scan(_ line: [UInt8], rest: [UInt8] = []) -> String? {
    let behind = rest + [UInt8](repeating: 0, count: ElementScanner.lookahead)
    return (line + [0x0A] + behind).withUnsafeBufferPointer { bytes in
      guard let start = bytes.baseAddress,
        let element = ElementScanner(start, limit: start + line.count + 1)
      else { return nil }
      // A newline in the middle splits the line into two.
      guard element.end == start + line.count else { return nil }
      return describe(element.time, element.moment)
    }
  }

  private func describe(_ time: UInt64, _ moment: TraceRecord.Moment) -> String {
    "\(time) \(moment.id) \(moment.lane?.string ?? "nil") \(moment.text?.string ?? "nil") "
      + "\(moment.truncated ?? 0) \(moment.thread ?? 0)"
  }

  /// Returns the result of the full parser, or nil if the line isn't an element.
  private func parse(_ line: [UInt8]) -> String? {
    line.withUnsafeBufferPointer { bytes -> String? in
      guard let fields = RecordFields(bytes), let time = fields.integer(.t),
        fields.text(.event)?.string == "next",
        let id = fields.integer(.sub).flatMap({ SubscriptionID($0) })
      else { return nil }
      let moment = TraceRecord.Moment(
        id: id, lane: fields.text(.lane), text: fields.text(.value),
        truncated: fields.integer(.truncated), thread: fields.integer(.thread))
      return describe(time, moment)
    }
  }

  private static let line =
    #"{"t":1204,"event":"next","sub":7,"lane":"search","value":"swift é","thread":2}"#

  @Test("The scanner reads elements that the recorder writes")
  func plain() {
    #expect(scan(Array(Self.line.utf8)) == "1204 #7 search swift é 0 2")
    let silent = #"{"t":0,"event":"next","sub":1,"lane":"","thread":12345}"#
    #expect(scan(Array(silent.utf8)) == "0 #1  nil 0 12345")
  }

  @Test("The scanner reads ends that the recorder writes and rejects all other lines")
  func ends() {
    func scan(_ line: String) -> String? {
      let behind = [UInt8](repeating: 0, count: ElementScanner.lookahead)
      return (Array(line.utf8) + [0x0A] + behind).withUnsafeBufferPointer { bytes in
        guard let start = bytes.baseAddress,
          let end = ElementScanner(endAt: start, limit: start + line.utf8.count + 1),
          end.end == start + line.utf8.count
        else { return nil }
        return "\(end.kind.rawValue) \(describe(end.time, end.moment))"
      }
    }
    for kind in ["disposed", "completed", "released"] {
      let line = #"{"t":1204,"event":"\#(kind)","sub":7,"lane":"search","thread":2}"#
      #expect(scan(line) == "\(kind) 1204 #7 search nil 0 2")
      #expect(self.scan(Array(line.utf8)) == nil)
      for wrong in [
        line.replacingOccurrences(of: "\",\"sub", with: "x\",\"sub"), String(line.dropLast()),
        line.replacingOccurrences(of: "d\",\"sub", with: "\",\"sub"), line + " ",
        line.replacingOccurrences(of: kind, with: "failed"),
        line.replacingOccurrences(of: kind, with: "next"),
      ] { #expect(scan(wrong) == nil, "\(wrong)") }
    }
  }

  @Test("The scanner rejects lines in an unusual form")
  func others() {
    for line in [
      Self.line.replacingOccurrences(of: "next", with: "mext"), " " + Self.line, Self.line + " ",
      Self.line.replacingOccurrences(of: "swift", with: "a\\u0041b"), String(Self.line.dropLast()),
      Self.line.replacingOccurrences(of: "1204", with: "01204"),
      Self.line.replacingOccurrences(of: "\"sub\":7", with: "\"sub\":0"),
      Self.line.replacingOccurrences(of: "1204", with: "12345678901234567890"),
    ] {
      #expect(scan(Array(line.utf8)) == nil, "\(line)")
    }
  }

  @Test("The scanner reads strings of every length, with an escape at every position")
  func escapes() {
    for count in 0..<200 {
      let text = String(repeating: "x", count: count)
      let line = Self.line.replacingOccurrences(of: "swift", with: text)
      #expect(scan(Array(line.utf8)) == "1204 #7 search \(text) é 0 2")
      for escape in ["\\\"", "\\\\", "\\n", "\\\\\\\\\\\""] {
        let line = Self.line.replacingOccurrences(of: "swift", with: text + escape)
        #expect(scan(Array(line.utf8)) == parse(Array(line.utf8)), "\(line)")
        #expect(scan(Array(line.utf8)) != nil, "\(line)")
      }
      for wrong in ["\u{1}", "\\x", "\\"] {
        let line = Self.line.replacingOccurrences(of: "swift", with: text + wrong)
        #expect(scan(Array(line.utf8)) == parse(Array(line.utf8)), "\(line)")
      }
    }
  }

  @Test("The scanner rejects a line that isn't completely read")
  func behindTheLimit() {
    let bytes = Array((Self.line + "\n").utf8)
    for length in 0..<bytes.count {
      let memory = bytes + [UInt8](repeating: 0, count: ElementScanner.lookahead)
      let isTaken = memory.withUnsafeBufferPointer { memory in
        memory.baseAddress.map { ElementScanner($0, limit: $0 + length) != nil } ?? false
      }
      #expect(!isTaken, "\(length)")
    }
  }

  @Test(
    "The scanner converts up to 18 digits",
    arguments: 1...18)
  func digits(count: Int) {
    let text = "987654321012345678".prefix(count)
    let line = Self.line.replacingOccurrences(of: "1204", with: text)
    #expect(scan(Array(line.utf8))?.hasPrefix("\(text) ") == true)
  }

  @Test(
    "The scanner never disagrees with the full parser",
    arguments: 0..<8)
  func mutations(seed: Int) {
    var numbers = FixedNumbers(seed: UInt64(seed))
    let letters = Array("\"\\{}:,0129 \ntsvn\u{1}é".utf8)
    var known = 0
    for _ in 0..<4000 {
      var line = Array(Self.line.utf8)
      for _ in 0..<Int.random(in: 0...2, using: &numbers) {
        let offset = Int.random(in: 0..<line.count, using: &numbers)
        let letter = letters[Int.random(in: 0..<letters.count, using: &numbers)]
        switch Int.random(in: 0..<3, using: &numbers) {
        case 0: line[offset] = letter
        case 1: line.insert(letter, at: offset)
        default: line.remove(at: offset)
        }
      }
      guard let scanned = scan(line) else { continue }
      known += 1
      #expect(scanned == parse(line), "\(String(decoding: line, as: UTF8.self))")
    }
    #expect(known > 1000)
  }
}
