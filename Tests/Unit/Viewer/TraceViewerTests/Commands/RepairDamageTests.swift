import TestSupport
import Testing

@testable import TraceAnalysis
@testable import TraceFormat
@testable import ViewerConsole

@Suite("Repair compared with --strict")
struct RepairDamageTests {
  /// Runs a strict report and a repair of a log.
  private func judge(
    _ bytes: [UInt8]
  ) -> (strict: RunResult, repair: RunResult, new: TemporaryFile, old: TemporaryFile) {
    let (old, new) = (TemporaryFile(bytes: bytes), TemporaryFile(""))
    return (run("report", "--strict", old.path), run("repair", old.path, "-o", new.path), new, old)
  }

  /// Expects that a strict report and a repair agree, and that the repaired log is undamaged.
  private func expectAgreement(_ bytes: [UInt8], _ name: String) {
    let (strict, repair, new, old) = judge(bytes)
    guard repair.code == .clean else {
      #expect(strict.code == repair.code, "\(name)")
      return
    }
    let isDamaged = strict.code == .notALog
    #expect(isDamaged || strict.code == .clean, "\(name)")
    #expect(repair.error.contains("Nothing to repair") == !isDamaged, "\(name): \(repair.error)")
    #expect(repair.error.contains("Repaired:") == isDamaged, "\(name): \(repair.error)")
    let again = run("report", "--strict", new.path)
    #expect(again.code == .clean, "\(name): \(again.error)")
    let second = run("repair", new.path, "-o", "-")
    #expect(second.error.hasPrefix("Nothing to repair."), "\(name): \(second.error)")
    #expect(second.out == new.text, "\(name)")
    // A repaired log doesn't prove more than the original.
    let (before, after) = (run("check", old.path).code, run("check", new.path).code)
    #expect(before == after || (before, after) == (.findings, .inconclusive), "\(name)")
    // A readable beginning disappears only if the new log reports a loss or the beginning was a
    // copy.
    let lost = ["\"event\":\"lost\"", "\"event\":\"alive\""].contains { new.text.contains($0) }
    let (begun, kept) = (beginnings(bytes), beginnings(Array(new.text.utf8)))
    if !lost, !repair.error.contains("a log that occurred before"),
      !repair.error.contains("the next file of this log is missing")
    {
      #expect(kept == begun, "\(name)")
    }
  }

  /// Returns the distinct lines of a log that a reader accepts as beginnings of subscriptions.
  private func beginnings(_ bytes: [UInt8]) -> Set<String> {
    struct Visitor: RecordVisitor {
      let file: LogSource
      var found: Set<String> = []
      mutating func visit(_ record: TraceRecord, at location: TraceRecord.Location) {
        guard case .subscribe = record.body else { return }
        found.insert(String(decoding: file.bytes(at: location), as: UTF8.self))
      }
    }
    let file = LogSource(name: "x", bytes: bytes)
    var visitor = Visitor(file: file)
    var reader = LogReader()
    _ = try? reader.read(file, visitor: &visitor)
    return visitor.found
  }

  @Test("A repair and a strict report agree on every kind of damage")
  func kinds() {
    let clean = SampleLog.clean.split(separator: "\n").map(String.init)
    func changed(_ change: (inout [String]) -> Void) -> [UInt8] {
      var lines = clean
      change(&lines)
      return Array((lines.joined(separator: "\n") + "\n").utf8)
    }
    let continued = #"{"t":5,"event":"continued","records":3,"lost":0}"#
    let second = SampleLog.subscribe(2, "other", at: 950_000_000)
    for (name, bytes, isDamaged) in [
      ("a blank line", changed { $0.insert("", at: 3) }, false),
      ("CR", changed { $0[3] += "\r" }, false), ("space", changed { $0[3] = " " + $0[3] }, false),
      ("NUL", changed { $0.insert("\0\0", at: 3) }, false),
      ("a byte-order mark", changed { $0[0] = "\u{FEFF}" + $0[0] }, false),
      ("no newline", Array(SampleLog.clean.utf8.dropLast()), false),
      (
        "a record after an end",
        changed { $0.insert(SampleLog.next(2, "request", at: 899_000_000, "x"), at: 7) }, false
      ),
      ("a second end", changed { $0.insert($0[5], at: 6) }, false),
      ("noise", changed { $0.insert("noise", at: 3) }, true),
      ("a torn line", Array(SampleLog.clean.utf8.dropLast(9)), true),
      ("no header", changed { $0.removeFirst() }, true),
      ("no beginning", changed { $0.remove(at: 3) }, true),
      ("a copy of a beginning", changed { $0.insert($0[3], at: 4) }, true),
      ("a number used again", changed { $0.insert(second, at: 8) }, true),
      ("a record after the end", changed { $0.append(second) }, true),
      ("two ends of the log", changed { $0.append($0[8]) }, true),
      ("records before a continuation", changed { $0.insert(continued, at: 2) }, true),
      (
        "two that continue",
        changed {
          $0[8] = continued; $0.append(continued)
        }, true
      ),
      ("the log again", Array((SampleLog.clean + SampleLog.clean).utf8), true),
    ] {
      #expect((judge(bytes).strict.code == .notALog) == isDamaged, "\(name)")
      expectAgreement(bytes, name)
    }
  }

  @Test("A repair records the loss of a beginning whose number is reused")
  func reusedNumber() {
    let log = SampleLog.make([
      SampleLog.subscribe(1, "first", at: 10), SampleLog.end("disposed", 1, "first", at: 20),
      SampleLog.subscribe(1, "second", at: 30), SampleLog.next(1, "second", at: 35, "x"),
    ])
    let (strict, repair, new, old) = judge(Array(log.utf8))
    #expect(strict.code == .notALog)
    #expect(repair.error.contains("a subscription begins again; 1 record dropped"))
    #expect(new.text.contains(#""event":"lost","count":1"#))
    // The end may belong to the other subscription, so the second one may never have ended.
    #expect(run("check", old.path).code == run("check", new.path).code)
    #expect(run("check", new.path).code != .clean)
  }

  @Test(
    "A repair and a strict report agree on random damage",
    arguments: 0..<UInt64(TestLength.isLong ? 100 : 8))
  func random(group: UInt64) {
    for seed in group * 10..<group * 10 + 10 {
      expectAgreement(damaged(seed), "seed \(seed)")
    }
  }

  /// Returns a log with random damage that depends only on the seed.
  private func damaged(_ seed: UInt64) -> [UInt8] {
    var random = FixedNumbers(seed: seed)
    let segment = SampleLog.clean.replacing("\"pid\":4242", with: "\"segment\":3,\"pid\":4242")
    let logs = [
      SampleLog.clean, SampleLog.leak, SampleLog.died, segment,
      SampleLog.ofAnother(SampleLog.leak, process: 9, secondsLater: 2),
    ]
    func lines() -> [[UInt8]] {
      (logs.randomElement(using: &random) ?? "").utf8.split(separator: 0x0A).map { Array($0) }
    }
    var log = lines()
    if Bool.random(using: &random) { log += lines() }
    for _ in 0..<Int.random(in: 0...5, using: &random) {
      damage(&log, &random)
    }
    var bytes = Array(log.joined(separator: [0x0A]))
    if Int.random(in: 0..<5, using: &random) > 0 { bytes.append(0x0A) }
    if Int.random(in: 0..<5, using: &random) == 0 {
      bytes.removeLast(Int.random(in: 0...bytes.count, using: &random))
    }
    return bytes
  }

  private func damage(_ log: inout [[UInt8]], _ random: inout FixedNumbers) {
    guard !log.isEmpty else { return }
    let index = Int.random(in: log.indices, using: &random)
    let other = Int.random(in: 0...log.count, using: &random)
    switch Int.random(in: 0..<16, using: &random) {
    case 0: log.remove(at: index)
    case 1: log.insert(Array("printed by the program".utf8), at: index)
    case 2: log[index].removeLast(Int.random(in: 0...log[index].count, using: &random))
    case 3: log.insert([UInt8](repeating: 0, count: 9), at: index)
    case 4: log.insert([], at: index)
    case 5: log[index].append(0x0D)
    case 6: log.append(log.remove(at: index))
    case 7: log.insert(log.remove(at: index), at: 0)
    case 8:
      guard let byte = log[index].indices.randomElement(using: &random) else { return }
      log[index][byte] = [0xFF, 0xC3, 0x22, 0x7B, 0x7D, 0x5C].randomElement(using: &random) ?? 0
    case 9: log[0].insert(contentsOf: [0xEF, 0xBB, 0xBF], at: 0)
    case 10: log.insert(Array(#"{"t":3,"event":"next"}"#.utf8), at: index)
    case 11: log.removeFirst(min(log.count, Int.random(in: 0..<4, using: &random)))
    case 12: log.insert(log[index], at: other)
    case 13:
      // Another subscription with the same number, or another time of the same event.
      let text = String(decoding: log[index], as: UTF8.self)
      log.insert(Array(text.replacing("{\"t\":", with: "{\"t\":1").utf8), at: other)
    case 14:
      log.insert(
        Array(#"{"t":9,"event":"continued","records":\#(index),"lost":0}"#.utf8), at: other)
    default: log[index].insert(0x20, at: 0)
    }
  }
}
