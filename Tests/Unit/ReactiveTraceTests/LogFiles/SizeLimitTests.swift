import Foundation
import TestSupport
import Testing

@testable import ReactiveTrace
@testable import TraceAnalysis
@testable import TraceFormat

@Suite("Size limits of logs", .ownThread)
struct SizeLimitTests {
  private func recorder(
    _ log: TemporaryLog, _ whenFull: Trace.SizeLimit.WhenFull, valueLimit: Int = 256
  ) throws -> Recorder {
    try Recorder(
      path: log.path,
      options: Trace.Options(
        valueLimit: valueLimit, sizeLimit: Trace.SizeLimit(bytes: 65536, whenFull: whenFull)))
  }

  /// Returns the records of each file, in order.
  private func records(_ recorder: Recorder) throws -> [[[String: Any]]] {
    let log = try #require(recorder.writer)
    return try log.paths.map { path in
      try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map { line in
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
        return try #require(object as? [String: Any])
      }
    }
  }

  @Test("A record longer than a file is counted as lost, and the log continues")
  func longRecord() throws {
    let log = try TemporaryLog()
    let recorder = try recorder(log, .rotate(keeping: nil), valueLimit: .max)
    let subscription = recorder.subscription()
    subscription.next(text: "before")
    subscription.next(text: String(repeating: "x", count: 70_000))
    recorder.mark(String(repeating: "y", count: 70_000))
    subscription.next(text: "after")
    subscription.completed()
    recorder.finish()
    let files = try records(recorder)
    #expect(files.count == 1)
    #expect(files[0].compactMap { $0["value"] as? String }.dropFirst() == ["before", "after"])
    #expect(files[0].last?["lost"] as? Int == 2)
    #expect(files[0].last?["records"] as? Int == files[0].count - 1)
  }

  @Test("A size limit is at least 64 KiB")
  func minimum() throws {
    for bytes in [0, -1, .min] {
      var limit = Trace.SizeLimit(bytes: bytes)
      #expect(limit.bytes == 65536)
      limit.bytes = bytes
      #expect(limit.bytes == 65536)
      var options = Trace.Options(sizeLimit: limit)
      options.sizeLimit?.bytes = bytes
      let log = try TemporaryLog()
      let recorder = try Recorder(path: log.path, options: options)
      recorder.subscription().completed()
      recorder.finish()
      #expect(try log.records().last?["lost"] as? Int == 0)
    }
  }

  @Test("A log whose header reaches the limit contains only the header")
  func headerAlone() throws {
    let log = try TemporaryLog()
    let header = Array("{\"t\":0}\n".utf8)
    let file = try LogFile(path: log.path, header: header, limit: .min)
    file.close { _, _, _ in }
    #expect(try log.text() == "{\"t\":0}\n")
  }

  @Test("A log never exceeds its limit, including the padding")
  func padding() throws {
    for bytes in [65536, 300_000] {
      let log = try TemporaryLog()
      let recorder = try Recorder(
        path: log.path, options: Trace.Options(sizeLimit: Trace.SizeLimit(bytes: bytes)))
      let subscription = recorder.subscription()
      let size = {
        var information = stat()
        return stat(log.path, &information) == 0 ? Int(information.st_size) : .max
      }
      for element in 0..<5000 {
        subscription.next(text: "element \(element)")
        if element % 50 == 0 { #expect(size() <= bytes) }
      }
      recorder.finish()
      #expect(size() <= bytes)
      #expect(size() > bytes - 1024)
      #expect(try log.records().last?["lost"] as? Int ?? 0 > 0)
    }
  }

  @Test("An error longer than a file is truncated, and the subscription's end is recorded")
  func longError() throws {
    let log = try TemporaryLog()
    let recorder = try recorder(log, .stop)
    recorder.subscription().failed(String(repeating: "é", count: 35_000))
    recorder.finish()
    let failed = try #require(try log.records().first { $0["event"] as? String == "failed" })
    #expect((failed["error"] as? String)?.utf8.count == 256)
    #expect(failed["truncated"] as? Int == 70_000)
    #expect(try log.records().last?["lost"] as? Int == 0)
  }

  @Test("A rotating log records all live subscriptions in the next file")
  func manyAlive() throws {
    let log = try TemporaryLog()
    let recorder = try recorder(log, .rotate(keeping: nil))
    let subscriptions = (0..<1000).map { recorder.subscription("lane \($0)") }
    for round in 0..<3 { for subscription in subscriptions { subscription.next(text: "\(round)") } }
    for subscription in subscriptions { subscription.disposed() }
    recorder.finish()
    let files = try records(recorder)
    #expect((4...20).contains(files.count))
    let all = files.joined()
    #expect(all.count { $0["event"] as? String == "next" } == 3000)
    #expect(all.count { $0["event"] as? String == "disposed" } == 1000)
    for file in files { #expect(file.last?["records"] as? Int == file.count - 1) }
    // The last file alone shows that no subscription is alive.
    let last = try #require(recorder.writer?.paths.last)
    let analysis = try LogAnalysis.read(LogSource(path: last))
    #expect(analysis.activeCount == 0)
    #expect(Verdict(analysis).outcome == .clean)
  }

  @Test("The last file of a rotating log contains leaks that began in earlier files")
  func leakInLastFile() throws {
    let log = try TemporaryLog()
    let recorder = try recorder(log, .rotate(keeping: 1))
    let leak = recorder.subscription("leak")
    for round in 0..<2000 {
      let other = recorder.subscription("other")
      other.next(text: "\(round)")
      other.completed()
    }
    recorder.finish()
    let paths = try #require(recorder.writer?.paths)
    #expect(paths.count == 1)
    let analysis = try LogAnalysis.read(LogSource(path: paths[0]))
    let verdict = Verdict(analysis)
    let sites = verdict.findings.map { analysis.lifecycles[$0.lifecycle].site }
    #expect(sites.map(\.lane) == ["leak"])
    #expect(verdict.outcome == .findings)
    #expect(sites.first?.source?.isEmpty == false)
    withExtendedLifetime(leak) {}
  }

  @Test("A rotating log locks all of its files until it ends")
  func locked() throws {
    let log = try TemporaryLog()
    let first = try recorder(log, .rotate(keeping: nil))
    let second = try recorder(log, .rotate(keeping: nil))
    for recorder in [first, second, first] {
      let subscription = recorder.subscription()
      for element in 0..<2000 { subscription.next(text: "element \(element)") }
      subscription.completed()
    }
    let paths = try #require(second.writer?.paths)
    #expect(Array(paths.prefix(3)) == ["", ".part-2", ".part-3"].map { log.path + $0 + ".2" })
    first.finish()
    second.finish()
    for (recorder, count) in [(first, 4000), (second, 2000)] {
      let files = try records(recorder)
      #expect(files.count > 2)
      #expect(files.joined().count { $0["event"] as? String == "next" } == count)
      #expect(files.dropLast().allSatisfy { $0.last?["event"] as? String == "continued" })
    }
    #expect(try recorder(log, .stop).path == log.path)
    #expect(try Recorder(path: SegmentPath.of(log.path, 2)).path == SegmentPath.of(log.path, 2))
  }

  @Test("A rotating log doesn't delete a foreign file at one of its paths")
  func foreignFile() throws {
    let log = try TemporaryLog()
    let recorder = try recorder(log, .rotate(keeping: 1))
    let renamed = log.folder + "/renamed.jsonl"
    try FileManager.default.moveItem(atPath: log.path, toPath: renamed)
    try "precious".write(toFile: log.path, atomically: false, encoding: .utf8)
    let subscription = recorder.subscription()
    for element in 0..<3000 { subscription.next(text: "element \(element)") }
    subscription.completed()
    recorder.finish()
    #expect(try log.text() == "precious")
    #expect(FileManager.default.fileExists(atPath: renamed))
    #expect(recorder.writer?.paths.count == 1)
    // No file between the first and the last remains.
    #expect(try FileManager.default.contentsOfDirectory(atPath: log.folder).count == 3)
  }

  @Test("Each file of a rotating log starts with records of live threads only")
  func goneThreads() throws {
    let log = try TemporaryLog()
    let recorder = try recorder(log, .rotate(keeping: 2))
    let subscription = recorder.subscription()
    for thread in 0..<3000 { onThreads(1) { _ in subscription.next(text: "\(thread)") } }
    // A thread can end a moment after it has done its work.
    let some = try #require(try records(recorder).last).count { $0["event"] as? String == "thread" }
    subscription.completed()
    recorder.finish()
    #expect(some < 1500)
    for path in try #require(recorder.writer?.paths) {
      #expect(try log.text(path).utf8.count < 80 * 1024)
    }
  }

  @Test("A rotating log doesn't lose records while many threads write")
  func threads() throws {
    let log = try TemporaryLog()
    let recorder = try recorder(log, .rotate(keeping: nil))
    onThreads(8) { thread in
      for round in 0..<20 {
        let subscription = recorder.subscription("thread \(thread)")
        for element in 0..<100 { subscription.next(text: "\(thread) \(round) \(element)") }
        subscription.completed()
      }
    }
    recorder.finish()
    let files = try records(recorder)
    let values = files.joined().filter { $0["event"] as? String == "next" }
      .compactMap { $0["value"] as? String }
    #expect(values.count == 16_000)
    #expect(Set(values).count == 16_000)
    #expect(files.count > 10)
    for file in files {
      #expect(file.last?["records"] as? Int == file.count - 1)
      #expect(file.last?["lost"] as? Int == 0)
    }
    let paths = try #require(recorder.writer?.paths)
    for path in paths {
      let analysis = try LogAnalysis.read(LogSource(path: path))
      #expect(analysis.damage[.duplicateSubscribe] == nil)
      // If a subscription ended during the rotation, its last record can be in the next file only.
      // It isn't mistaken for a leak.
      #expect(analysis.lifecycles.allSatisfy { $0.hasBeginning || !$0.isActive })
    }
    // All files together are one log without a gap, in any order.
    let sources = try paths.shuffled().map { try LogSource(path: $0) }
    let (whole, errors) = try LogAnalysis.read(sources)
    #expect(errors.isEmpty)
    #expect(whole.logs.count == 1)
    #expect(Verdict(whole).doubts == [[]])
    #expect(whole.lifecycles.count == 160)
    #expect(whole.lifecycles.allSatisfy { $0.elements == 100 && $0.state == .completed })
    #expect(whole.damage == Damage())
  }
}
