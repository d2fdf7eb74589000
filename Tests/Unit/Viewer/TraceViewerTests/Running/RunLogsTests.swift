import SystemLibrary
import TestSupport
import Testing

@testable import TraceFormat
@testable import trace_viewer

@Suite("RunLogs")
struct RunLogsTests {
  private func header(
    _ process: String?, trace: String, second: Int, pid: Int = 7, segment: Int = 1
  ) -> String {
    let identity = LogIdentity(
      trace: trace, process: process, pid: pid, host: nil,
      started: "2026-11-20T23:48:0\(second).000000000Z")
    return String(decoding: HeaderLine.bytes(identity, segment: segment), as: UTF8.self)
  }

  @Test("Names of logs don't depend on the run and are ordered by the start of the process")
  func names() {
    let directory = TemporaryDirectory([
      "1.jsonl": header("tests", trace: "a", second: 3),
      "2.jsonl": header("tests", trace: "b", second: 1),
      "3.jsonl": header("app", trace: "c", second: 2),
      "4.jsonl": header("tests", trace: "a", second: 3, segment: 2),
      "5.jsonl": header(nil, trace: "d", second: 4),
      "6.jsonl": "noise", "7.jsonl": "",
    ])
    let paths = (1...7).map { "\(directory.path)/\($0).jsonl" }
    let expected = [
      "6": "unknown process", "7": "unknown process (2)", "2": "tests", "3": "app",
      "1": "tests (2)", "4": "tests (2), file 2", "5": "unknown process (3)",
    ]
    for order in [paths, paths.reversed()] {
      let files = RunLogs(order).files
      #expect(files.map(\.name) == ["6", "7", "2", "3", "1", "4", "5"].map { expected[$0] })
      #expect(
        files.map { String($0.path.suffix(7).prefix(1)) } == ["6", "7", "2", "3", "1", "4", "5"])
    }
  }

  @Test("A log is still being written if it is locked and its process exists")
  func running() throws {
    let directory = TemporaryDirectory([
      "1": header("locked", trace: "a", second: 1, pid: Int(getpid())),
      "2": header("free", trace: "b", second: 2, pid: Int(getpid())),
      // No process has this ID.
      "3": header("gone", trace: "c", second: 3, pid: Int(Int32.max)),
    ])
    let locks = ["1", "3"].map { open("\(directory.path)/\($0)", O_RDWR) }
    defer { locks.forEach { close($0) } }
    for lock in locks { try #require(flock(lock, LOCK_EX) == 0) }
    let logs = RunLogs(["1", "2", "3"].map { "\(directory.path)/\($0)" })
    #expect(logs.running(["locked", "free", "gone"]) == ["locked"])
    #expect(logs.running([]) == [])
  }
}
