import Foundation
import TestSupport
import Testing

@testable import TraceAnalysis

@Suite("A log whose file changes after it was read")
struct LogChangeTests {
  private let file: TemporaryLog

  init() throws {
    file = try TemporaryLog()
    try write(SampleLog.leak + String(repeating: "\n", count: 5000))
  }

  private func write(_ text: String) throws {
    // The file is written in place, as a recorder and a shell do.
    let descriptor = open(file.path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    try #require(pwrite(descriptor, bytes, bytes.count, 0) == bytes.count)
  }

  private func analyses() throws -> [LogAnalysis] {
    try [true, false].map { try LogAnalysis.read(LogSource(path: file.path, staysOpen: $0)) }
  }

  @Test("Truncating records of a log is reported as a change")
  func cut() throws {
    for log in try analyses() {
      #expect(ReadContent(log).change == nil)
      truncate(file.path, off_t(SampleLog.header.utf8.count + 1))
      #expect(ReadContent(log).change == .changed(file.path))
      try write(SampleLog.leak)
    }
  }

  @Test("Overwriting a log with another one is reported as a change")
  func rewritten() throws {
    for log in try analyses() {
      try write(SampleLog.ofAnother(SampleLog.leak + SampleLog.leak, process: 7))
      #expect(ReadContent(log).change == .changed(file.path))
      try write(SampleLog.leak)
    }
  }

  @Test("Growing a log or trimming the blank space after its last record isn't a change")
  func harmless() throws {
    for log in try analyses() {
      truncate(file.path, off_t(SampleLog.leak.utf8.count))
      #expect(ReadContent(log).change == nil)
      try write(SampleLog.leak + SampleLog.subscribe(9, "late", at: 1) + "\n")
      #expect(ReadContent(log).change == nil)
    }
  }

  @Test("Replacing a file that is reopened for each read is reported as a change")
  func replaced() throws {
    let log = try LogAnalysis.read(LogSource(path: file.path, staysOpen: false))
    let other = file.path + ".new"
    try Data(SampleLog.leak.utf8).write(to: URL(fileURLWithPath: other))
    try #require(rename(other, file.path) == 0)
    #expect(ReadContent(log).change == .changed(file.path))
  }

  @Test("A log in memory never changes")
  func memory() throws {
    let log = try LogAnalysis.read(LogSource(name: "x", bytes: Array(SampleLog.leak.utf8)))
    #expect(ReadContent(log).change == nil)
  }
}
