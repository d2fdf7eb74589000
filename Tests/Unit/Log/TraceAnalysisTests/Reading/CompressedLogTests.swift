import Foundation
import TestSupport
import Testing

@testable import TraceAnalysis
@testable import TraceFormat

@Suite("Logs that are compressed or come from a pipe", .ownThread)
struct CompressedLogTests {
  private static func run(_ command: String) -> Int32 {
    guard
      case .exited(let code)? = try? ChildProcess("/bin/sh", ["-c", command]).finish().ending
    else { return -1 }
    return code
  }

  private static let programs = ["gzip", "zstd", "xz"].filter { run("command -v \($0)") == 0 }

  private func compressed(_ text: String, _ options: String = "gzip") throws -> [UInt8] {
    let log = try TemporaryLog()
    try Data(text.utf8).write(to: URL(fileURLWithPath: log.path))
    #expect(Self.run("\(options) -c <'\(log.path)' >'\(log.path).packed'") == 0)
    return Array(try Data(contentsOf: URL(fileURLWithPath: log.path + ".packed")))
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

  private static let long = (0..<5_000)
    .map { SampleLog.next($0 % 7 + 1, "lane", at: $0 * 1000, "e\($0)") }.joined(separator: "\n")

  @Test("A compressed log is unpacked, regardless of its name", arguments: programs)
  func unpacked(program: String) throws {
    let source = try source(try compressed(SampleLog.leak, program))
    #expect(source.size == SampleLog.leak.utf8.count)
    #expect(try LogAnalysis.read(source).lifecycles.count == 4)
  }

  @Test("Unpacking restores the original text, also of several members", arguments: programs)
  func roundTrip(program: String) throws {
    var numbers = FixedNumbers(seed: 4)
    let noise = String(
      decoding: (0..<100_000).map { _ in UInt8.random(in: 32...126, using: &numbers) },
      as: UTF8.self)
    for text in ["", "a", noise] {
      let source = try source(try compressed(text, program))
      #expect(self.text(source) == text, "\(text.prefix(20))")
      #expect(source.packingFault == nil)
    }
    let two = try source(
      try compressed(SampleLog.leak, program) + compressed(Self.long, program)
        + (program == "zstd" ? [] : [0, 0, 0, 0]))
    #expect(text(two) == SampleLog.leak + Self.long)
    #expect(two.packingFault == nil)
  }

  @Test("A truncated compressed log is read up to the cut", arguments: programs)
  func cut(program: String) throws {
    let whole = try compressed(Self.long, program)
    var longest = 0
    for count in Array(stride(from: 20, to: whole.count, by: whole.count / 6)) + [whole.count - 1] {
      guard let source = try? source(Array(whole[..<count])) else { continue }
      let text = text(source)
      #expect(Self.long.hasPrefix(text), "\(count)")
      #expect(text.utf8.count >= longest)
      longest = text.utf8.count
      #expect(source.packingFault == PackingFault(kind: .packingCut, at: text))
    }
    // Only the checksum at the end is cut, without which zstd doesn't write the last block.
    #expect(longest == Self.long.utf8.count || program == "zstd" && longest > 200_000)
    let error = #expect(throws: LogError.self) { try source(Array(whole[..<12])) }
    #expect(error?.code == .cannotRead)
    #expect(error?.sentence.contains("\(program) -t") == true)
  }

  @Test("A log with a wrong checksum or trailing bytes is read completely and reported as damaged")
  func ends() throws {
    let whole = try compressed(SampleLog.clean)
    var changed = whole
    changed[whole.count - 6] ^= 1
    for (bytes, kind) in [
      (changed, Damage.Kind.packingDamaged), (Array(whole.dropLast(3)), .packingCut),
      (whole + Array("behind".utf8), .packingTrailed), (whole + [0, 0, 7], .packingTrailed),
    ] {
      let source = try source(bytes)
      #expect(text(source) == SampleLog.clean)
      #expect(source.packingFault?.kind == kind)
      let log = try LogAnalysis.read(source)
      #expect(log.isDamaged)
      #expect(log.damage.count(kind) == 1)
      #expect(Verdict(log).doubts == [[.unpackedInPart]])
      #expect(Verdict(log).outcome == .inconclusive)
    }
  }

  @Test("A cut makes only the last log of a compressed file doubtful, and damage all of them")
  func members() throws {
    let other = SampleLog.ofAnother(SampleLog.leak, process: 7)
    let both = try compressed(SampleLog.leak) + compressed(other)
    var damaged = both
    damaged[both.count - 6] ^= 1
    for (bytes, isFirstDoubtful) in [(both.dropLast(30) + [], false), (damaged, true)] {
      let log = try LogAnalysis.read(try source(bytes))
      try #require(log.logs.count == 2)
      #expect(Verdict(log).doubts[0].contains(.unpackedInPart) == isFirstDoubtful)
      #expect(Verdict(log).doubts[1].contains(.unpackedInPart))
    }
  }

  @Test("A log with a changed bit is reported as damaged unless its text is unchanged")
  func changed() throws {
    let text = SampleLog.leak + SampleLog.ofAnother(SampleLog.clean, process: 3)
    let whole =
      try compressed(SampleLog.leak)
      + compressed(String(text.dropFirst(SampleLog.leak.count)))
    for index in stride(from: 2, to: whole.count, by: 9) {
      var bytes = whole
      bytes[index] ^= 1 << UInt8(index % 8)
      guard let source = try? source(bytes) else { continue }
      if source.packingFault == nil { #expect(self.text(source) == text, "\(index)") }
    }
  }

  /// Unpacks an empty file with a script instead of a program.
  private func unpack(_ script: String, patience: Int = 60) throws -> (String, PackingFault?) {
    let file = try TemporaryLog()
    // A shell writes the file. A descriptor of this process could be inherited by another test's
    // child, and then the file couldn't be executed.
    #expect(
      Self.run(
        "{ echo '#!/bin/sh'; echo '\(script)'; } >'\(file.path)'; chmod 700 '\(file.path)'") == 0)
    let spool = try Spool("log")
    let input = open("/dev/null", O_RDONLY)
    defer { close(input) }
    // Each folder of PATH has the root above it.
    let program = String(repeating: "../", count: 20) + file.path
    let (size, fault) = try Decompressor.unpack(
      input, at: 0, with: program, into: spool, name: "log", patience: patience)
    var bytes = [UInt8](repeating: 0, count: size)
    #expect(pread(spool.file.number, &bytes, size, 0) == size)
    return (String(decoding: bytes, as: UTF8.self), fault)
  }

  @Test("A program that doesn't continue, or that a signal ends, is an error")
  func hangs() {
    let error = #expect(throws: LogError.self) {
      try unpack("exec sleep 1000", patience: 0)
    }
    #expect(error?.sentence.contains("nothing came for 0 seconds") == true)
    #expect(throws: LogError.self) { try unpack("echo a; kill -9 $$") }
  }

  #if os(Linux)
    @Test("A program inherits no descriptors, no blocked signals and no settings")
    func inherits() throws {
      let null = open("/dev/null", O_RDONLY | O_CLOEXEC)
      let stray = fcntl(null, F_DUPFD, 300)
      try #require(stray >= 300)
      defer { for number in [null, stray] { close(number) } }
      let variables = try unpack("env | cut -d= -f1").0.split(separator: "\n")
      // A shell sets some variables itself.
      #expect(Set(variables).subtracting(["PWD", "OLDPWD", "SHLVL", "_"]) == ["LC_ALL", "PATH"])
      #expect(!(try unpack("ls /proc/$$/fd").0.split(separator: "\n").contains("\(stray)")))
      #expect(try unpack("grep SigBlk /proc/self/status").0 == "SigBlk:\t0000000000000000\n")
    }
  #endif

  @Test("A damaged compressed log is reported when it is followed or read in batches")
  func followed() throws {
    let file = try TemporaryLog()
    try Data(try compressed(SampleLog.died).dropLast(9))
      .write(to: URL(fileURLWithPath: file.path))
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
