import Foundation
import TestSupport
import Testing

@testable import TraceAnalysis

@Suite("Files in unsupported formats")
struct FileFormatTests {
  private func error(_ bytes: [UInt8], staysOpen: Bool = true) throws -> LogError? {
    let log = try TemporaryLog()
    try Data(bytes).write(to: URL(fileURLWithPath: log.path))
    do throws(LogError) {
      _ = try LogAnalysis.read(try LogSource(path: log.path, staysOpen: staysOpen))
      return nil
    } catch {
      return error
    }
  }

  @Test(
    "A file in another format is identified, with a command that converts it",
    arguments: [
      ([0x42, 0x5A, 0x68, 0x39], "compressed with bzip2", "bzip2 -dc FILE | trace-viewer -"),
      ([0x04, 0x22, 0x4D, 0x18, 0x60], "compressed with lz4", "lz4 -dc FILE"),
      ([0x50, 0x4B, 0x03, 0x04], "compressed with zip", "unzip -p FILE"),
      ([0xFF, 0xFE, 0x7B, 0x00], "UTF-16 text", "iconv -f UTF-16 -t UTF-8 FILE"),
      ([0xFE, 0xFF, 0x00, 0x7B], "UTF-16 text", "iconv -f UTF-16"),
      ([0x7B, 0x00, 0x22, 0x00], "UTF-16 text", "iconv -f UTF-16"),
      ([0x00, 0x7B, 0x00, 0x22], "UTF-16 text", "iconv -f UTF-16"),
      ([0xFF, 0xFE, 0x00, 0x00], "UTF-32 text", "iconv -f UTF-32"),
    ] as [([UInt8], String, String)])
  func names(bytes: [UInt8], name: String, command: String) throws {
    for staysOpen in [true, false] {
      for file in [bytes, GzipFile.stored(bytes)] {
        let error = try #require(try error(file, staysOpen: staysOpen))
        #expect(error.code == .wrongFormat)
        #expect(error.sentence.contains(name))
        #expect(error.sentence.contains(command))
      }
    }
  }

  @Test("A log that is compressed twice is identified")
  func twice() throws {
    let log = Array(SampleLog.leak.utf8)
    #expect(try error(GzipFile.stored(log)) == nil)
    let error = try #require(try error(GzipFile.stored(GzipFile.stored(log))))
    #expect(error.code == .wrongFormat)
    #expect(error.sentence.contains("compressed twice"))
  }

  @Test("A log with an unusual start isn't mistaken for another format")
  func logs() throws {
    #expect(try error(Array(SampleLog.leak.utf8)) == nil)
    #expect(try error([0xEF, 0xBB, 0xBF] + Array(SampleLog.leak.utf8)) == nil)
    #expect(try error(Array(("\n\n" + SampleLog.leak).utf8)) == nil)
    #expect(try error(Array("BZ".utf8))?.code == .noTraceLog)
  }
}
