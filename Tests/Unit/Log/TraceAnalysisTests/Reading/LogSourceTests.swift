import Foundation
import TestSupport
import Testing

@testable import TraceAnalysis
@testable import TraceFormat

@Suite("LogSource")
struct LogSourceTests {
  private func error(_ path: String) -> LogError? {
    do throws(LogError) {
      let file = try LogSource(path: path)
      _ = try LogAnalysis.read(file)
      return nil
    } catch {
      return error
    }
  }

  @Test("An unreadable file throws an error that names the file")
  func errors() {
    #expect(error("/nonexistent/log.jsonl")?.code == .cannotOpen)
    #expect(error("/nonexistent/log.jsonl")?.file == "/nonexistent/log.jsonl")
    #expect(error("/")?.code == .cannotOpen)
    #expect(error("/dev/null")?.code == .empty)
  }

  @Test("A file without records or with a newer format version is rejected")
  func contents() {
    func code(_ text: String) -> LogError.Code? {
      do throws(LogError) {
        _ = try LogAnalysis.read(LogSource(name: "x", bytes: Array(text.utf8)))
        return nil
      } catch {
        return error.code
      }
    }
    #expect(code("") == .empty)
    #expect(code("hello\n") == .noTraceLog)
    #expect(code("\0\0\n") == .empty)
    #expect(code(#"{"t":1,"event":"click"}"#) == .noTraceLog)
    #expect(code(#"{"t":0,"event":"trace","version":2}"#) == .newerVersion)
    #expect(code(#"{"t":0,"event":"trace","version":1}"#) == nil)
  }

  @Test(
    "The error about an unknown version quotes the version from the log",
    arguments: [
      ("2", true), ("99999999999999999999", true), ("1.5", false), ("1e3", false), ("1e0", false),
      ("-1", false), (#""1""#, false), (#""2.0 beta""#, false),
    ])
  func versions(version: String, isNewer: Bool) throws {
    let line = #"{"t":0,"event":"trace","version":\#(version)}"#
    let error = #expect(throws: LogError.self) {
      try LogAnalysis.read(LogSource(name: "x", bytes: Array(line.utf8)))
    }
    #expect(error?.code == .newerVersion)
    let rest =
      isNewer
      ? ", but this program reads only versions up to 1. Use a newer trace-viewer."
      : ", which is not a whole number. This program reads versions up to 1."
        + " Check which program wrote the log."
    #expect(error?.sentence == "The log has format version \(version)" + rest)
  }

  @Test("Many compressed logs share one temporary file, and each keeps its contents")
  func sharedSpool() throws {
    let folder = try TemporaryLog()
    let text = Array(SampleLog.leak.utf8)
    var paths: [String] = []
    for index in 0..<30 {
      let path = "\(folder.path).\(index)"
      let bytes = index % 3 == 0 ? text : GzipFile.stored(text)
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      paths.append(path)
    }
    var files = LogFiles(count: paths.count, limit: 20)
    let sources = try paths.map { try files.open($0) }
    for source in sources {
      #expect(source.size == text.count)
      #expect(source.bytes(at: .init(line: 1, offset: 0, length: source.size)) == text)
    }
    let log = try LogAnalysis.read(sources).analysis
    #expect(log.damage.count(.repeated) == 29)
    #expect(ReadContent(log).change == nil)
  }

  @Test("Uncompressed logs don't need a temporary file, and only a few of them stay open")
  func plain() throws {
    let file = try TemporaryLog()
    try Data(SampleLog.leak.utf8).write(to: URL(fileURLWithPath: file.path))
    var few = LogFiles(count: 2, limit: 20)
    #expect(try few.open(file.path).hasItsName == true)
    for (count, limit) in [(101, 4096), (20, 20)] {
      var many = LogFiles(count: count, limit: limit)
      #expect(try many.open(file.path).hasItsName == nil)
    }
  }

  @Test("A temporary file needs a twentieth of the file system or 1 GiB of free space")
  func room() {
    #expect(Spool.hasRoom(free: 50, of: 1000))
    #expect(!Spool.hasRoom(free: 49, of: 1000))
    #expect(Spool.hasRoom(free: 1 << 30, of: 1 << 40))
    #expect(!Spool.hasRoom(free: 1 << 30 - 1, of: 1 << 40))
  }

  @Test(
    "A header without a valid version isn't a header",
    arguments: ["null", "true", "[1]"])
  func noVersion(version: String) {
    let line = #"{"t":0,"event":"trace","version":\#(version)}"#
    let error = #expect(throws: LogError.self) {
      try LogAnalysis.read(LogSource(name: "x", bytes: Array(line.utf8)))
    }
    #expect(error?.code == .noTraceLog)
  }
}
