import Foundation
import TestSupport
import Testing

@testable import TraceAnalysis
@testable import TraceFormat

@Suite("A log whose file changes after it was read")
struct LogChangeTests {
  private let file: TemporaryLog

  init() throws {
    file = try TemporaryLog()
    try write(SampleLog.leak + String(repeating: "\n", count: 5000))
  }

  private func write(_ text: String) throws {
    // In place, as a recorder and a shell do.
    let descriptor = open(file.path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    try #require(pwrite(descriptor, bytes, bytes.count, 0) == bytes.count)
  }

  private func analyses() throws -> [LogAnalysis] {
    try [true, false].map { try LogAnalysis.read(LogSource(path: file.path, staysOpen: $0)) }
  }

  @Test("says so where records are gone")
  func cut() throws {
    for log in try analyses() {
      #expect(ReadContent(log).change == nil)
      truncate(file.path, off_t(SampleLog.header.utf8.count + 1))
      #expect(ReadContent(log).change == .changed(file.path))
      try write(SampleLog.leak)
    }
  }

  @Test("says so where another log was written into it")
  func rewritten() throws {
    for log in try analyses() {
      try write(SampleLog.ofAnother(SampleLog.leak + SampleLog.leak, process: 7))
      #expect(ReadContent(log).change == .changed(file.path))
      try write(SampleLog.leak)
    }
  }

  @Test("says nothing where it grows, or loses the blank space behind its last record")
  func harmless() throws {
    for log in try analyses() {
      truncate(file.path, off_t(SampleLog.leak.utf8.count))
      #expect(ReadContent(log).change == nil)
      try write(SampleLog.leak + SampleLog.subscribe(9, "late", at: 1) + "\n")
      #expect(ReadContent(log).change == nil)
    }
  }

  @Test("says so where another file took its name, of files that are opened again for each look")
  func replaced() throws {
    let log = try LogAnalysis.read(LogSource(path: file.path, staysOpen: false))
    let other = file.path + ".new"
    try Data(SampleLog.leak.utf8).write(to: URL(fileURLWithPath: other))
    try #require(rename(other, file.path) == 0)
    #expect(ReadContent(log).change == .changed(file.path))
  }

  @Test("does not concern what came out of a pipe or memory")
  func memory() throws {
    let log = try LogAnalysis.read(LogSource(name: "x", bytes: Array(SampleLog.leak.utf8)))
    #expect(ReadContent(log).change == nil)
  }
}
