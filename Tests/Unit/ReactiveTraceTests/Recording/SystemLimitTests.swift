import Foundation
import TestSupport
import Testing

@testable import ReactiveTrace
@testable import TraceFormat

@Suite("Programs with few system resources", .ownThread)
struct SystemLimitTests {
  @Test("A process exits normally if its deleted log exceeds the file size limit")
  func restoredLog() throws {
    let log = try TemporaryLog()
    let result = try Helper(["restore", "100000"], trace: log.path).finish()
    #expect(result.status == 0)
    #expect(result.errors.contains("only a part of it could be written"))
    #expect(try log.text().utf8.count == 100_000)
  }

  @Test("A process without free thread-specific keys is traced")
  func keys() throws {
    let log = try TemporaryLog()
    let result = try Helper(["keys", log.path], trace: nil).finish()
    #expect(result.status == 0)
    #expect(result.output == "went on\n")
    let records = try log.records()
    #expect(records.count { $0["event"] as? String == "disposed" } == 3)
    #expect(records.last?["records"] as? Int == records.count - 1)
  }

  @Test(
    "A log uses little of a limited address space",
    .enabled(if: !isSanitized, "a sanitizer needs more"))
  func addresses() throws {
    let log = try TemporaryLog()
    let result = try Helper(["addresses", "4"], trace: log.path).finish()
    #expect(result.status == 0)
    let taken = try #require(Int(result.output.dropLast()))
    #expect((0...512).contains(taken))
    #expect(try log.records().last?["event"] as? String == "end")
  }

  @Test(
    "A log that exceeds the address space prints one warning and counts its losses",
    .enabled(if: !isSanitized, "a sanitizer needs more"))
  func outgrownAddresses() throws {
    let log = try TemporaryLog()
    let settings = ["REACTIVE_TRACE_VALUE_LIMIT": "100K"]
    let result = try Helper(["outgrow", "512"], trace: log.path, settings).finish()
    #expect(result.status == 0)
    #expect(result.errors.split(separator: "\n").count == 1)
    let sent = try #require(Int(result.output.dropLast()))
    let records = try log.records()
    let values = records.count { $0["event"] as? String == "next" }
    #expect(records.last?["lost"] as? Int == sent - values)
    #expect(records.count { $0["event"] as? String == "lost" } == 1)
  }

  @Test(
    "A log that exceeds the address space continues in further files",
    .enabled(if: !isSanitized, "a sanitizer needs more"))
  func addressesOfFiles() throws {
    let log = try TemporaryLog()
    let settings = [
      "REACTIVE_TRACE_VALUE_LIMIT": "100K", "REACTIVE_TRACE_MAX_SIZE": "40M",
      "REACTIVE_TRACE_WHEN_FULL": "rotate",
    ]
    let result = try Helper(["outgrow", "512"], trace: log.path, settings).finish()
    #expect(result.status == 0)
    #expect(result.errors == "")
    let sent = try #require(Int(result.output.dropLast()))
    let files = try (1...3).map { try log.records(SegmentPath.of(log.path, $0)) }
    #expect(files.joined().count { $0["event"] as? String == "next" } == sent)
    #expect(files.allSatisfy { $0.last?["lost"] as? Int == 0 })
  }

  @Test("A log of limited size reserves a small mapping")
  func smallLog() throws {
    let log = try TemporaryLog()
    let recorder = try Recorder(
      path: log.path, options: Trace.Options(sizeLimit: Trace.SizeLimit(bytes: 1 << 20)))
    defer { recorder.finish() }
    #expect(try #require(recorder.writer).current.mappedSize == 1 << 30)
    #expect(OpenedFile.mappingSize(limit: .max, addressSpace: .max) == 64 << 30)
    #expect(OpenedFile.mappingSize(limit: 2 << 30, addressSpace: .max) == 8 << 30)
    #expect(OpenedFile.mappingSize(limit: .max, addressSpace: 4 << 30) == 256 << 20)
  }

  #if canImport(Glibc)
    @Test(
      "A rotating log doesn't keep much memory for each full file",
      .enabled(if: !isSanitized, "a sanitizer has its own allocator"))
    func memoryOfFiles() throws {
      let log = try TemporaryLog()
      let settings = [
        "REACTIVE_TRACE_VALUE_LIMIT": "64K", "REACTIVE_TRACE_MAX_SIZE": "64K",
        "REACTIVE_TRACE_WHEN_FULL": "rotate:1",
      ]
      let result = try Helper(["file-memory", "500"], trace: log.path, settings).finish()
      #expect(result.status == 0)
      let bytes = try #require(Int(result.output.dropLast()))
      #expect((0..<3000).contains(bytes))
    }
  #endif

  #if os(Linux)
    @Test("A process that exits on a small stack ends its log without place records")
    func smallStack() throws {
      let log = try TemporaryLog()
      let settings = ["REACTIVE_TRACE_ALL": "1"]
      let result = try Helper(["small-stack", "\(128 << 10)"], trace: log.path, settings).finish()
      #expect(result.status == 0)
      #expect(result.errors.contains("the stack of the thread that ends the log is too small"))
      let records = try log.records()
      #expect(records.last?["event"] as? String == "end")
      #expect(!records.contains { $0["event"] as? String == "place" })
    }

    @Test(
      "A process can exit in a signal handler that interrupts the allocator",
      .enabled(if: !isSanitized, "the handler can interrupt a sanitizer that holds its own locks"),
      arguments: 1...8)
    func allocator(attempt: Int) throws {
      let log = try TemporaryLog()
      let result = try Helper(["allocator"], trace: log.path).finish()
      #expect(result.status == 0)
      #expect(try log.records().last?["event"] as? String == "end")
    }
  #endif
}
