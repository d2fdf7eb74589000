import Foundation
import TestSupport
import Testing

@testable import TraceAnalysis
@testable import TraceFormat

@Suite("GrowingLog")
struct GrowingLogTests {
  private static let folders = ["Samples/Logs", "Tests/Programs/Fuzzing/Corpus"]

  private static func logs() throws -> [String] {
    try folders.flatMap { folder in
      let folder = PackageFolder.url.appending(path: folder).path
      return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        .filter { $0.hasSuffix(".log") || $0.hasSuffix(".jsonl") }
        .map { "\(folder)/\($0)" }
    }
  }

  private func expectSame(_ files: [LogSource], _ name: String) throws {
    let (analysis, errors) = try LogAnalysis.read(files)
    let whole = describe(analysis)
    for batch in [1, 100, 1000, 5000, 1 << 20] {
      let snapshots = try readToEnd(GrowingLog(files, firstBatch: batch))
      let last = try #require(snapshots.last)
      #expect(describe(last.analysis) == whole, "\(name) in batches of \(batch)")
      #expect(last.errors == errors)
      #expect(last.isComplete)
      #expect(last.bytesRead == last.bytesTotal)
      #expect(snapshots.dropLast().allSatisfy { !$0.isComplete && $0.errors.isEmpty })
    }
  }

  @Test("Reading a log in batches gives the same result as reading it all together")
  func samples() throws {
    let paths = try Self.logs()
    #expect(paths.count > 8)
    for path in paths { try expectSame([try LogSource(path: path)], path) }
    try expectSame(try paths.map { try LogSource(path: $0) }, "all")
    for seed in 0..<6 as Range<UInt64> {
      let log = RandomLog(seed: seed, files: Int(seed % 3) + 1, disorder: Int(seed) * 500)
      try expectSame(log.files, "random \(seed)")
    }
  }

  @Test("Errors in files are reported only in the last snapshot")
  func errors() throws {
    let newer = SampleLog.clean.replacing("\"version\":1", with: "\"version\":9")
    let texts = ["", "nothing\n", newer, SampleLog.leak, String(SampleLog.died.dropLast(9))]
    try expectSame(
      texts.enumerated().map { LogSource(name: "\($0)", bytes: Array($1.utf8)) }, "damaged")
    try expectSame([LogSource(name: "x", bytes: [])], "empty")
  }

  @Test("Snapshots have elements and events before the whole log is read")
  func batches() throws {
    let log = RandomLog(seed: 2, records: 4000)
    let snapshots = try readToEnd(GrowingLog(log.files, firstBatch: 3000))
    #expect(snapshots.count > 3)
    let elements = snapshots.map(\.elements.total)
    #expect(elements == elements.sorted() && elements[0] > 0 && elements[0] < elements[1])
    for snapshot in snapshots {
      let events = try EventReader(snapshot).events(after: .init(before: .zero), maxCount: 5)
      #expect(events.count == 5)
    }
  }

  @Test("Reading a missing file throws an error")
  func missing() {
    #expect(throws: LogError.self) {
      try GrowingLog(paths: ["/nowhere/log.jsonl"], follows: false).advance()
    }
  }
}
