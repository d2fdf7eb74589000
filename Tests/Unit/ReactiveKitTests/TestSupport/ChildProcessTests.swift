import Foundation
import TestSupport
import Testing

@Suite("A process that a test starts", .ownThread)
struct ChildProcessTests {
  private func shell(_ script: String, limit: Double = hangLimit) throws -> ChildProcess {
    try ChildProcess("/bin/sh", ["-c", script], environment: ["GREETING": "hello"], limit: limit)
  }

  @Test("A child process reports its exit status, its output and its errors")
  func end() throws {
    let (ending, output, errors) = try shell("echo $GREETING; echo no >&2; exit 3").finish()
    #expect(ending == .exited(3))
    #expect(String(decoding: output, as: UTF8.self) == "hello\n")
    #expect(String(decoding: errors, as: UTF8.self) == "no\n")
    #expect(try shell("kill -TERM $$").finish().ending == .killed(by: SIGTERM))
  }

  @Test("A child process can write more than the capacity of a pipe to both outputs")
  func bothPipes() throws {
    let (ending, output, errors) = try shell(
      "i=0; while [ $i -lt 30000 ]; do echo errors >&2; echo output; i=$((i+1)); done"
    ).finish()
    #expect(ending == .exited(0))
    #expect(output.count == 30_000 * 7)
    #expect(errors.count == 30_000 * 7)
  }

  @Test(
    "A child process that runs too long is killed with its children, and its output is reported")
  func hang() throws {
    try withKnownIssue {
      let ending = try shell("echo stuck; cat /dev/zero >/dev/null | cat; true", limit: 0.2)
        .finish()
      #expect(ending.ending == .killed(by: SIGKILL))
    } matching: { issue in
      issue.comments.contains {
        $0.rawValue.contains("was killed after 0.2 s") && $0.rawValue.contains("stuck")
      }
    }
  }

  @Test("A child process can't write a file larger than the limit")
  func fileSize() throws {
    let folder = try TemporaryRoot.makeFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    // A sparse file, one byte larger than the limit.
    let end = try shell(
      "dd if=/dev/zero of='\(folder)/big' bs=1 count=1 seek=\(ProcessLimits.fileSize)"
    ).finish()
    #expect(end.ending != .exited(0))
    let size = try FileManager.default.attributesOfItem(atPath: folder + "/big")[.size] as? Int
    #expect(size ?? .max <= ProcessLimits.fileSize)
  }

  @Test("A program that can't be started is reported with its path and the reason")
  func missing() {
    let failure = #expect(throws: Spawner.Failure.self) {
      try ChildProcess("/nonexistent/program", [])
    }
    #expect(failure?.path == "/nonexistent/program")
    #expect(failure?.reason == "No such file or directory")
  }
}
