import TestSupport
import Testing

@testable import TraceFormat
@testable import TraceReports
@testable import ViewerConsole

@Suite("LogRepair")
struct LogRepairTests {
  private struct Repaired {
    let code: ExitCode
    let text: String
    let error: String
    /// The exit codes of `report --strict` and `check` for the new log, and of `check` for the old
    /// one.
    let strict: ExitCode
    let check: ExitCode
    let oldCheck: ExitCode
  }

  private func repair(_ text: String) -> Repaired {
    repair(Array(text.utf8))
  }

  private func repair(_ bytes: [UInt8]) -> Repaired {
    let (old, new) = (TemporaryFile(bytes: bytes), TemporaryFile(""))
    let result = run("repair", old.path, "-o", new.path)
    #expect(result.out.isEmpty)
    for line in lines(new.text) {
      #expect(throws: Never.self, "\(line)") { try JSONDocument(line) }
    }
    return Repaired(
      code: result.code, text: new.text,
      error: result.error.split(separator: old.path).joined(separator: "LOG"),
      strict: run("report", "--strict", new.path).code, check: run("check", new.path).code,
      oldCheck: run("check", old.path).code)
  }

  private func lines(_ log: String) -> [String] {
    log.split(separator: "\n").map(String.init)
  }

  @Test("A repair copies an undamaged log byte by byte")
  func whole() {
    for log in [SampleLog.clean, SampleLog.leak, SampleLog.died] {
      let repaired = repair(log)
      #expect(repaired.code == .clean)
      #expect(repaired.text == log)
      #expect(repaired.error == "Nothing to repair. \(lines(log).count) records written.\n")
    }
  }

  @Test("A repair drops lines that aren't records, and reports where and how many")
  func noise() {
    var log = lines(SampleLog.clean)
    log.insert("", at: 2)
    log.insert("printed by the program", at: 4)
    log.insert("[1]", at: 5)
    log.insert(#"{"t":5,"event":"next"}"#, at: 6)
    log.insert("\0\0\0", at: 7)
    log[8] += "\r"
    log[9] = "  \(log[9])"
    let repaired = repair("\u{FEFF}" + log.joined(separator: "\n") + "\n\n\n")
    #expect(repaired.text == SampleLog.clean)
    #expect(
      lines(repaired.error) == [
        "Repaired: LOG:5: not a JSON object; 2 lines dropped",
        "Repaired: LOG:7: a JSON object that lacks keys of a record; 1 line dropped",
        "Tidied: LOG:3: 3 blank lines dropped",
        "Tidied: LOG:1: byte-order mark dropped",
        "Tidied: LOG:8: NUL bytes dropped in 1 line",
        "Tidied: LOG:9: CR dropped at the end of 1 line",
        "Tidied: LOG:10: space around a record dropped in 1 line",
        "9 records written.",
      ])
    #expect(repaired.strict == .clean)
    // The recorder counted its records, so none of those lines was a record.
    #expect((repaired.oldCheck, repaired.check) == (.clean, .clean))
  }

  @Test("A repair of a torn log records the loss and never invents an end")
  func torn() throws {
    let torn = String(SampleLog.clean.dropLast(30))
    let repaired = repair(torn)
    #expect(repaired.error.contains("LOG:9: the last line is incomplete; 1 line dropped"))
    #expect(
      lines(repaired.text) == lines(SampleLog.clean).dropLast() + [
        #"""
        {"t":900000000,"event":"lost","count":1,"reason":"damaged lines were left out by a repair"}
        """#
      ])
    #expect(repaired.strict == .clean)
    #expect((repaired.oldCheck, repaired.check) == (.inconclusive, .inconclusive))
  }

  @Test("A repair records missing records before the end of the log")
  func missing() {
    var log = lines(SampleLog.clean)
    log[4] = String(log[4].dropLast(9))
    let repaired = repair(log.joined(separator: "\n") + "\n")
    #expect(lines(repaired.text).last == log.last)
    #expect(lines(repaired.text).dropLast().last?.contains(#""event":"lost","count":1"#) == true)
    #expect(repaired.strict == .clean)
    #expect((repaired.oldCheck, repaired.check) == (.inconclusive, .inconclusive))
    // The recorder didn't count its records, so the line may have been one.
    log[log.count - 1] = #"{"t":1000000000,"event":"end"}"#
    let uncounted = repair(log.joined(separator: "\n"))
    #expect(uncounted.text.contains(#""event":"lost","count":1"#))
    #expect((uncounted.oldCheck, uncounted.check) == (.inconclusive, .inconclusive))
  }

  @Test("A repair adds a missing header that is the same for the same log")
  func header() throws {
    let log = lines(SampleLog.clean).dropFirst().joined(separator: "\n") + "\n"
    let repaired = repair(log)
    let first = try #require(lines(repaired.text).first)
    for key in LogFormat.Key.allCases {
      #expect(first.contains("\"\(key.rawValue)\":"), "\(key)")
    }
    #expect(repaired.error.contains("the log did not begin with a trace record; added"))
    #expect(repaired.strict == .clean)
    #expect((repaired.oldCheck, repaired.check) == (.inconclusive, .inconclusive))
    #expect(repair(log).text == repaired.text)
    #expect(repair(log + "\n").text != repaired.text)
  }

  @Test("A repair adds an alive record for a subscription without a beginning")
  func beginning() {
    var log = lines(SampleLog.clean)
    log.remove(at: 3)
    let repaired = repair(log.joined(separator: "\n") + "\n")
    #expect(
      lines(repaired.text)[3]
        == #"{"t":300000000,"event":"alive","sub":2,"lane":"request"}"#)
    #expect(repaired.error.contains("1 subscription whose beginning is not in the log"))
    #expect(repaired.strict == .clean)
    #expect((repaired.oldCheck, repaired.check) == (.inconclusive, .inconclusive))
  }

  @Test("A repair moves the end of a log after its other records")
  func end() {
    var log = lines(SampleLog.clean)
    log.insert(log.removeLast(), at: 6)
    let repaired = repair(log.joined(separator: "\n") + "\n")
    #expect(lines(repaired.text).dropLast(2) == log[..<6] + log[7...])
    // The reader doesn't know whether the recorder counted the records after the end.
    #expect(
      lines(repaired.text).suffix(2) == [
        #"""
        {"t":1000000000,"event":"lost","count":2,"reason":"damaged lines were left out by a repair"}
        """#,
        #"{"t":1000000000,"event":"end","records":9,"lost":0}"#,
      ])
    #expect(repaired.error.contains("LOG:7: the end of the log came before other records"))
    #expect(repaired.strict == .clean)
    #expect(repaired.check == repaired.oldCheck)
    let twice = repair(SampleLog.clean + log[6] + "\n")
    #expect(twice.text == SampleLog.clean)
    #expect(twice.strict == .clean)
  }

  @Test("A repair drops repeated beginnings and repeated logs")
  func again() {
    var log = lines(SampleLog.leak)
    log.insert(log[3], at: 5)
    let repaired = repair(log.joined(separator: "\n") + "\n")
    #expect(repaired.text == SampleLog.leak)
    #expect(repaired.error.contains("LOG:6: a subscription begins again; 1 record dropped"))
    let twice = repair(SampleLog.leak + SampleLog.leak)
    #expect(twice.text == SampleLog.leak)
    #expect(twice.strict == .clean)
    let two = SampleLog.clean + SampleLog.ofAnother(SampleLog.leak, process: 7)
    #expect(repair(two).text == two)
  }

  @Test("A repair corrects the record count, so only recorded losses are missing")
  func counting() {
    // The recorder counted both copies.
    let log = lines(
      SampleLog.make(
        [SampleLog.subscribe(1, "a", at: 1)] + [
          SampleLog.subscribe(1, "a", at: 1), SampleLog.end("disposed", 1, "a", at: 9),
        ]))
    let doubled = repair(log.joined(separator: "\n"))
    #expect((doubled.oldCheck, doubled.check) == (.clean, .clean))
    #expect(
      lines(doubled.text) == [log[0], log[1], log[3]] + [
        #"{"t":1000000000,"event":"end","records":3,"lost":0}"#
      ])
    // The three missing lines are reported only once.
    var bad = log
    bad.replaceSubrange(
      2...2,
      with: [
        #"{"t":-5,"event":"next","sub":1,"lane":"a"}"#, #"{"t":1.5,"event":"next","sub":1}"#, "{}",
      ])
    bad[6] = #"{"t":10,"event":"continued","records":6,"lost":0}"#
    let torn = repair(bad.joined(separator: "\n"))
    #expect(
      lines(torn.text).suffix(2) == [
        #"{"t":10,"event":"lost","count":3,"reason":"damaged lines were left out by a repair"}"#,
        #"{"t":10,"event":"continued","records":4,"lost":0}"#,
      ])
    let file = TemporaryFile(torn.text)
    let check = run("check", file.path)
    #expect(check.out.contains("could not write 3 records"))
    #expect(!check.out.contains("missing"))
  }

  @Test("A repair doesn't hide that two logs were mixed")
  func mixed() {
    let other = SampleLog.ofAnother(SampleLog.clean, process: 7)
    let repaired = repair(SampleLog.leak.dropLast() + other)
    #expect(repaired.oldCheck == .inconclusive)
    #expect(repaired.check != .clean)
  }

  @Test("A repair replaces bytes that aren't UTF-8 and terminates the last line")
  func bytes() {
    var bytes = Array(SampleLog.clean.utf8.dropLast())
    let middle = SampleLog.clean.utf8.count / 2
    guard let quote = bytes[middle...].firstIndex(of: UInt8(ascii: "q")) else { return }
    bytes[quote] = 0xFF
    let repaired = repair(bytes)
    #expect(repaired.text.contains("\u{FFFD}"))
    #expect(repaired.text.hasSuffix("}\n"))
    #expect(repaired.error.contains("bytes that are not UTF-8 replaced in 1 line"))
    #expect(repaired.error.contains("LOG:9: the last line had no newline; added"))
  }

  @Test(
    "A repaired log never needs another repair, regardless of where the damage was",
    arguments: 0..<60)
  func again(seed: Int) {
    var log = lines(seed.isMultiple(of: 2) ? SampleLog.clean : SampleLog.leak)
    let index = seed / 2 % log.count
    switch seed % 6 {
    case 0: log.remove(at: index)
    case 1: log[index] = String(log[index].dropLast(seed))
    case 2: log.append(log.remove(at: index))
    case 3: log.insert(log[2 + index % 2], at: index)
    case 4: log = Array(log.dropFirst(index))
    default: log[index] = "\0\(log[index])\r"
    }
    let repaired = repair(log.joined(separator: "\n"))
    guard repaired.code == .clean else { return #expect(repaired.code == .notALog) }
    #expect(repaired.strict == .clean, "\(repaired.text)")
    #expect(repaired.check == repaired.oldCheck)
    let again = repair(repaired.text)
    #expect(again.text == repaired.text)
    #expect(again.error.hasPrefix("Nothing to repair."))
  }

}
