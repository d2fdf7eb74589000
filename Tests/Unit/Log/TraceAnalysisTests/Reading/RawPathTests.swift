import Foundation
import SystemLibrary
import TestSupport
import Testing

@testable import TraceAnalysis

@Suite("File names that aren't UTF-8")
struct RawPathTests {
  @Test(
    "Each file name has its own string, which converts back to the same bytes",
    arguments: [
      [], Array("plain/é/日.jsonl".utf8), [0xE9], [0x61, 0xE9, 0x62], [0xC3], [0xC3, 0xA9, 0xC3],
      [0xFF, 0xFE], [0xED, 0xA0, 0x80], [0xF4, 0x8F, 0xBB, 0xA9], [0xF4, 0x8F, 0xBB, 0xA9, 0xE9],
      [0xF0, 0x9F, 0x98, 0x80, 0x80], [0x0D, 0x0A, 0xE9],
    ] as [[UInt8]])
  func roundTrip(bytes: [UInt8]) {
    let path = RawPath.make(bytes)
    #expect(RawPath.bytes(path) == bytes)
    let name = RawPath.with(path) { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
    #expect(name == bytes)
  }

  @Test("A UTF-8 file name is unchanged, and other bytes are shown as escapes")
  func plain() {
    #expect(RawPath.make(Array("a/é".utf8)) == "a/é")
    #expect(RawPath.shown("a/é") == "a/é")
    #expect(RawPath.shown(RawPath.make([0x61, 0xE9, 0x0A])) == "a\\xE9\n")
  }

  #if os(Linux)
    @Test("A file whose name isn't UTF-8 can be opened, and is named in printable characters")
    func opening() throws {
      let folder = try TemporaryLog().folder
      let path = RawPath.make(Array("\(folder)/r".utf8) + [0xE9] + Array(".jsonl".utf8))
      let name = RawPath.bytes(path).map { CChar(bitPattern: $0) } + [0]
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
      let file = try #require(fopen(name, "w"))
      fputs(SampleLog.leak, file)
      fclose(file)
      defer {
        unlink(name)
        rmdir(folder)
      }
      for staysOpen in [true, false] {
        let source = try LogSource(path: path, staysOpen: staysOpen)
        #expect(source.name == "\(folder)/r\\xE9.jsonl")
        #expect(try LogAnalysis.read(source).lifecycles.count == 4)
        try LogSource.check(path)
      }
      let missing = #expect(throws: LogError.self) { try LogSource(path: path + "x") }
      #expect(missing?.file == "\(folder)/r\\xE9.jsonlx")
    }
  #endif
}
