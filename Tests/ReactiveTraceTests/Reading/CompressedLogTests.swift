import Foundation
import TestSupport
import Testing

@testable import ReactiveTrace

@Suite("logs that are compressed or come from a pipe", .ownThread)
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

  @Test("are unpacked, whatever their name")
  func unpacked() throws {
    guard hasGzip else { return }
    let log = try compressed(SampleLog.leak)
    let source = try LogSource(path: log.path)
    #expect(source.size == SampleLog.leak.utf8.count)
    #expect(try LogAnalysis.read(source).lifecycles.count == 4)
  }

  @Test("are refused where they are cut short or changed")
  func damaged() throws {
    guard hasGzip else { return }
    let log = try compressed(SampleLog.leak)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: log.path))
    try bytes.dropLast(20).write(to: URL(fileURLWithPath: log.path))
    #expect(error(log.path)?.code == .cannotRead)
    #expect(error(log.path)?.sentence.contains("gzip -t") == true)
    var changed = bytes
    changed[bytes.count / 2] ^= 0xFF
    try changed.write(to: URL(fileURLWithPath: log.path))
    #expect(error(log.path)?.code == .cannotRead)
  }

  @Test("are read to the end from a named pipe")
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

  @Test("do not grow while they are read")
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
