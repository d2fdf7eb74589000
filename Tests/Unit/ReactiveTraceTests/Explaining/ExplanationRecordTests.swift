import Foundation
import TestSupport
import Testing

@testable import ReactiveTrace
@testable import TraceAnalysis
@testable import TraceFormat

@Suite("The record of why a subscription is alive")
struct ExplanationRecordTests {
  /// Returns the record, read by Foundation's JSON parser instead of the project's.
  private func record(_ retention: Retention) throws -> [String: Any] {
    let object = try JSONSerialization.jsonObject(with: Data(line(retention)))
    return try #require(object as? [String: Any])
  }

  /// Returns the published line, after comparing it with the line in memory.
  private func line(_ retention: Retention) -> [UInt8] {
    var line = LineBuffer()
    defer { line.deallocate() }
    line.begin(at: 7, .retained)
    line.integer(.sub, 1)
    retention.encode(&line)
    line.end()
    let memory = Memory(line.count + 64)
    LinePublisher.publish(line, to: memory.start)
    #expect(memory.bytes.prefix(line.count + 1) == line.finishedBytes[...])
    return line.finishedBytes
  }

  /// Returns the record as the log reader parses it.
  private func read(_ retention: Retention) throws -> Retention {
    try line(retention).dropLast().withUnsafeBufferPointer { bytes in
      var parser = RecordParser()
      guard case .retained(let retained) = try parser.parse(bytes).body else {
        throw CancellationError()
      }
      return retained.retention
    }
  }

  private func steps(_ record: [String: Any]) throws -> [[String: Any]] {
    try #require(record["steps"] as? [[String: Any]])
  }

  @Test("A retention record reads back as it was written")
  func roundTrip() throws {
    let all = Retention(
      kind: .cycle, isProbable: true, steps: RetentionSamples.steps, tail: 3, breakIndex: 1,
      owner: .composite, limit: .searched(bytes: 1 << 32))
    #expect(try read(all) == all)
    #expect(try read(RetentionSamples.cycle) == RetentionSamples.cycle)
    for owner in Retention.Owner.allCases {
      let none = Retention(kind: .none, owner: owner, limit: .time)
      #expect(try read(none) == none)
    }
    let cut = Retention(kind: .path, isProbable: true, steps: RetentionSamples.steps, limit: .time)
    #expect(try read(cut) == cut)
    for limit in [Retention.Limit.memory, .platform, .trait, .notAnObservation] {
      let none = Retention(kind: .unsupported, limit: limit)
      #expect(try read(none) == none)
    }
  }

  @Test("A retention record omits unknown values")
  func sparse() throws {
    let none = try record(Retention(kind: .none, limit: .searched(bytes: 12)))
    #expect(Set(none.keys) == ["t", "event", "sub", "kind", "searched"])
    let whole = try record(RetentionSamples.cycle)
    #expect(
      Set(whole.keys) == ["t", "event", "sub", "kind", "proof", "steps", "break", "owner"])
    #expect(whole["proof"] as? String == "certain")
    let first = try #require(steps(whole).first)
    #expect(Set(first.keys) == ["kind", "name", "holds", "way", "self", "at", "column"])
    #expect(first["at"] as? String == "Sample/SearchScreen.swift:26")
    #expect(first["column"] as? Int == 11)
  }

  @Test("Strings of any length and content are published in steps of valid size", arguments: 0..<48)
  func anyTexts(shift: Int) throws {
    let texts = ["", "x", "é漢👩‍👧", "\n\"\\\u{1}", String(repeating: "y", count: shift), "]}"]
    let steps = (0..<6).map { number in
      Retention.Step(
        .field(
          Retention.Step.Field(
            texts[number], texts[(number + 1) % 6] + texts[4], .type(texts[(number + shift) % 6]),
            .other)),
        site: texts[(number + 2) % 6], column: shift << number)
    }
    let record = try self.steps(record(Retention(kind: .path, steps: steps)))
    for (written, step) in zip(record, steps) {
      #expect(written["type"] as? String ?? "" == step.field?.owner)
      #expect(written["name"] as? String ?? "" == step.field?.name)
      #expect(written["at"] as? String ?? "" == step.site)
      #expect(written["column"] as? Int == step.column)
    }
    #expect(record.count == 6)
  }

  @Test("At most 64 steps of a very long path are written", arguments: [64, 65, 5000])
  func manySteps(count: Int) throws {
    let steps = (0..<count).map { Retention.Step(.text("step \($0)", detail: "")) }
    let whole = Retention(kind: .cycle, steps: steps, tail: 20, breakIndex: 40)
    let record = try record(whole)
    #expect(try self.steps(record).count <= 64)
    #expect(try read(whole) == whole.shortened(max: 64))
  }

  @Test("Only the beginning of a very long string is written")
  func endlessTexts() throws {
    let long = String(repeating: "漢", count: 100_000)
    let step = Retention.Step(.subscription(nil, lane: long), site: long)
    let written = try #require(steps(record(Retention(kind: .path, steps: [step]))).first)
    for key in ["name", "at"] {
      let text = try #require(written[key] as? String)
      #expect((500...512).contains(text.utf8.count))
      #expect(text.hasPrefix("漢漢") && text.hasSuffix("漢..."))
    }
  }

  // MARK: Settings

  @Test(
    "REACTIVE_TRACE_EXPLAIN accepts on, off or a number of seconds",
    arguments: [
      ("on", 2_000_000_000), ("yes", 2_000_000_000), ("true", 2_000_000_000), ("off", 0),
      ("no", 0), ("false", 0), ("0", 0), ("1", 1_000_000_000), ("0.25", 250_000_000),
      ("5", 5_000_000_000), ("3600", 3_600_000_000_000),
    ])
  func limit(text: String, nanoseconds: Int) {
    #expect(EnvironmentSettings.explanationLimit(text) == nanoseconds)
  }

  @Test(
    "REACTIVE_TRACE_EXPLAIN rejects any other value",
    arguments: [
      "", ".", "-1", "nan", "inf", "1e3", "0x10", "3601", "99999999999999999999", "5s", " 5",
    ])
  func wrongLimit(text: String) {
    #expect(EnvironmentSettings.explanationLimit(text) == nil)
  }

  @Test("The time limit of an explanation is between zero and one hour")
  func durations() {
    #expect(Duration.milliseconds(2).inNanoseconds == 2_000_000)
    #expect(Duration.seconds(-1).inNanoseconds == 0)
    #expect(Duration.seconds(1 << 62).inNanoseconds == 3_600_000_000_000)
  }
}
