import Foundation
import TestSupport
import Testing

@testable import TraceAnalysis
@testable import TraceFormat

@Suite("Logs that are compressed or come from a pipe", .ownThread)
struct CompressedLogTests {
  private func run(_ command: String) -> Int32 {
    guard
      case .exited(let code)? = try? ChildProcess("/bin/sh", ["-c", command]).finish().ending
    else { return -1 }
    return code
  }

  private var hasGzip: Bool { run("command -v gzip >/dev/null") == 0 }

  private func compressed(_ text: String) throws -> TemporaryLog {
    let log = try TemporaryLog()
    try Data(text.utf8).write(to: URL(fileURLWithPath: log.path))
    #expect(
      run("gzip -c '\(log.path)' > '\(log.path).gz' && mv '\(log.path).gz' '\(log.path)'") == 0)
    return log
  }

  private func error(_ path: String) -> LogError? {
    do throws(LogError) {
      _ = try LogSource(path: path)
      return nil
    } catch {
      return error
    }
  }

  @Test("A compressed log is unpacked, regardless of its name")
  func unpacked() throws {
    guard hasGzip else { return }
    let log = try compressed(SampleLog.leak)
    let source = try LogSource(path: log.path)
    #expect(source.size == SampleLog.leak.utf8.count)
    #expect(try LogAnalysis.read(source).lifecycles.count == 4)
  }

  /// Returns a compressed member.
  private func member(_ text: String, level: Int = 6) throws -> [UInt8] {
    let log = try TemporaryLog()
    try Data(text.utf8).write(to: URL(fileURLWithPath: log.path))
    #expect(run("gzip -\(level) -c '\(log.path)' > '\(log.path).gz'") == 0)
    return Array(try Data(contentsOf: URL(fileURLWithPath: log.path + ".gz")))
  }

  private func source(_ bytes: [UInt8]) throws -> LogSource {
    let log = try TemporaryLog()
    try Data(bytes).write(to: URL(fileURLWithPath: log.path))
    return try LogSource(path: log.path)
  }

  private func text(_ source: LogSource) -> String {
    String(
      decoding: source.bytes(at: .init(line: 1, offset: 0, length: source.size)), as: UTF8.self)
  }

  private func faults(_ source: LogSource) -> [Damage.Kind] { source.packingFaults.map(\.kind) }

  @Test("Unpacking restores the original text for every compression level")
  func roundTrip() throws {
    guard hasGzip else { return }
    var numbers = FixedNumbers(seed: 4)
    let noise = String(
      decoding: (0..<200_000).map { _ in UInt8.random(in: 32...126, using: &numbers) },
      as: UTF8.self)
    let long = (0..<20_000).map { SampleLog.next($0 % 7 + 1, "lane", at: $0 * 1000, "e\($0)") }
      .joined(separator: "\n")
    for text in ["", "a", SampleLog.leak, noise, long, String(repeating: "ab", count: 300_000)] {
      for level in [1, 6, 9] {
        let source = try source(try member(text, level: level))
        #expect(self.text(source) == text, "level \(level), \(text.prefix(20))")
        #expect(source.packingFaults.isEmpty)
      }
    }
    let two = try source(try member(SampleLog.leak) + member(long) + [0, 0, 0])
    #expect(text(two) == SampleLog.leak + long)
    #expect(two.packingFaults.isEmpty)
  }

  @Test("A truncated compressed log is read up to the cut")
  func cut() throws {
    guard hasGzip else { return }
    let whole = try member(SampleLog.leak)
    var longest = 0
    for count in Array(stride(from: 20, to: whole.count, by: 3)) + [whole.count - 1] {
      guard let source = try? source(Array(whole[..<count])) else { continue }
      let text = text(source)
      #expect(SampleLog.leak.hasPrefix(text), "\(count)")
      #expect(text.utf8.count >= longest)
      longest = text.utf8.count
      #expect(source.packingFaults == [.init(kind: .packingCut, at: text)])
    }
    // Only the checksum at the end is cut.
    #expect(longest == SampleLog.leak.utf8.count)
    let nothing = try TemporaryGzip(Array(whole[..<12]))
    #expect(error(nothing.path)?.code == .cannotRead)
  }

  @Test("A log with a wrong checksum or trailing bytes is read completely and reported as damaged")
  func ends() throws {
    guard hasGzip else { return }
    let whole = try member(SampleLog.clean)
    var changed = whole
    changed[whole.count - 6] ^= 1
    for (bytes, kind) in [
      (changed, Damage.Kind.packingDamaged), (Array(whole.dropLast(3)), .packingCut),
      (whole + Array("behind".utf8), .packingTrailed), (whole + [0, 0, 7], .packingTrailed),
    ] {
      let source = try source(bytes)
      #expect(text(source) == SampleLog.clean)
      #expect(faults(source) == [kind])
      let log = try LogAnalysis.read(source)
      #expect(log.isDamaged)
      #expect(log.damage.count(kind) == 1)
      #expect(Verdict(log).doubts == [[.unpackedInPart]])
      #expect(Verdict(log).outcome == .inconclusive)
    }
  }

  @Test("Reading continues with the next readable member, on a new line")
  func members() throws {
    guard hasGzip else { return }
    let other = SampleLog.ofAnother(SampleLog.leak, process: 7)
    var numbers = FixedNumbers(seed: 9)
    let lines = (0..<200).map { time in
      SampleLog.next(1, "a", at: time, "\(UInt64.random(in: 0 ... .max, using: &numbers))")
    }
    let (first, second) = (try member(SampleLog.make(lines)), try member(other))
    var broken = first
    for index in first.count / 2..<first.count / 2 + 4 { broken[index] = ~broken[index] }
    for start in [broken, Array(first.dropLast(60)), first + Array("between".utf8)] {
      let source = try source(start + second)
      #expect(text(source).hasSuffix("\n" + other))
      #expect(!source.packingFaults.isEmpty)
      let log = try LogAnalysis.read(source)
      try #require(log.logs.count == 2)
      #expect(Verdict(log).doubts[1].isEmpty)
      #expect(Verdict(log).doubts[0].contains(.unpackedInPart))
    }
    let cut = try LogAnalysis.read(try source(first + second.dropLast(30)))
    try #require(cut.logs.count == 2)
    #expect(Verdict(cut).doubts[0].isEmpty)
    #expect(Verdict(cut).doubts[1].contains(.unpackedInPart))
  }

  @Test("A log with a changed bit is reported as damaged unless its text is unchanged")
  func changed() throws {
    guard hasGzip else { return }
    let text = SampleLog.leak + SampleLog.ofAnother(SampleLog.clean, process: 3)
    let whole = try member(SampleLog.leak) + member(String(text.dropFirst(SampleLog.leak.count)))
    for index in stride(from: 2, to: whole.count, by: 5) {
      var bytes = whole
      bytes[index] ^= 1 << UInt8(index % 8)
      guard let source = try? source(bytes) else { continue }
      if source.packingFaults.isEmpty { #expect(self.text(source) == text, "\(index)") }
    }
  }

  @Test(
    "Data that only resembles members is skipped in linear time",
    arguments: [
      // Headers with a name, a comment or extra fields, and empty blocks after a name.
      [0x1F, 0x8B, 8, 8], [0x1F, 0x8B, 8, 0x10], [0x1F, 0x8B, 8, 4],
      [0x1F, 0x8B, 8, 8, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0xFF, 0xFF],
    ] as [[UInt8]])
  func falseMembers(start: [UInt8]) throws {
    let growth = costGrowth(from: 2000, to: 16000) { count in
      let noise = (0..<count).flatMap { _ in start }
      let blocks = (0..<count).flatMap { _ in [0, 0, 0, 0xFF, 0xFF] as [UInt8] }
      let bytes = GzipFile.stored(Array(SampleLog.leak.utf8)) + noise + blocks
      guard let source = try? self.source(bytes) else {
        Issue.record("the log before the noise was not read")
        return
      }
      #expect(text(source).hasPrefix(SampleLog.leak))
      #expect(!source.packingFaults.isEmpty)
    }
    #expect(growth < 20)
  }

  @Test("A damaged compressed log is reported when it is followed or read in batches")
  func followed() throws {
    guard hasGzip else { return }
    let file = try TemporaryGzip(try member(SampleLog.died).dropLast(9) + [])
    for follows in [true, false] {
      let log = GrowingLog(paths: [file.path], follows: follows, firstBatch: 100)
      var last: LogSnapshot?
      while let snapshot = try log.advance() { last = snapshot }
      let analysis = try #require(last).analysis
      #expect(analysis.damage.count(.packingCut) == 1)
      #expect(Verdict(analysis).doubts[0].contains(.unpackedInPart))
    }
  }

  @Test("A named pipe is read to its end")
  func pipe() throws {
    let log = try TemporaryLog()
    #expect(mkfifo(log.path, 0o600) == 0)
    let path = log.path
    let writer = Thread {
      _ = FileManager.default.createFile(atPath: path + ".in", contents: Data(SampleLog.leak.utf8))
      _ = system("cat '\(path).in' > '\(path)'; rm '\(path).in'")
    }
    writer.start()
    let source = try LogSource(path: log.path)
    #expect(source.size == SampleLog.leak.utf8.count)
    #expect(try LogAnalysis.read(source).lifecycles.count == 4)
  }

  @Test("A log that grows is read only up to its size when it was opened")
  func growing() throws {
    let log = try TemporaryLog()
    try Data(SampleLog.died.utf8).write(to: URL(fileURLWithPath: log.path))
    let source = try LogSource(path: log.path)
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: log.path))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data((SampleLog.subscribe(9, "new", at: 5) + "\n").utf8))
    #expect(try LogAnalysis.read(source).lifecycles.count == 4)
    #expect(try LogAnalysis.read(LogSource(path: log.path)).lifecycles.count == 5)
  }
}

extension PackingFault {
  /// Creates a fault at the end of the unpacked text.
  fileprivate init(kind: Damage.Kind, at text: String) {
    let size = text.utf8.count
    self.init(kind: kind, range: size..<size, line: text.utf8.count { $0 == 0x0A } + 1)
  }
}

/// A compressed file that is removed when the test ends.
private final class TemporaryGzip {
  private let folder: TemporaryLog

  init(_ bytes: [UInt8]) throws {
    folder = try TemporaryLog()
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  var path: String { folder.path }
}
