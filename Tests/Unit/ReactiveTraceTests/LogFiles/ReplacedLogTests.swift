import Foundation
import TestSupport
import Testing

@testable import TraceAnalysis
@testable import TraceFormat

/// Runs are only identified on Linux, with information from the kernel.
@Suite("Replaced logs", .ownThread)
struct ReplacedLogTests {
  /// Runs a shell command in which `$HELPER` traces to a file, and returns how many logs the last
  /// log has replaced.
  private func replaced(_ script: String, _ log: TemporaryLog) throws -> UInt64? {
    let (ending, _, errors) = try ChildProcess(
      "/bin/sh", ["-c", script],
      environment: ["HELPER": Helper.path, "LOG": log.path, "REACTIVE_TRACE": nil]
    ).finish()
    try #require(ending == .exited(0), "\(String(decoding: errors, as: UTF8.self))")
    return try TraceAnalysis.LogAnalysis.read(LogSource(path: log.path)).logs.first?.header?
      .replaced
  }

  #if os(Linux)
    @Test(
      "A log counts the logs of the same run that it replaced",
      arguments: [
        (#"REACTIVE_TRACE=$LOG sh -c '"$HELPER" write 1; "$HELPER" write 1; true'"#, UInt64(1)),
        (
          #"""
          REACTIVE_TRACE=$LOG sh -c '"$HELPER" write 1; "$HELPER" write 1; \#
          exec "$HELPER" write 1'
          """#,
          2
        ),
        (
          #"""
          REACTIVE_TRACE=$LOG sh -c '(sh -c "\"$HELPER\" write 1; true"); "$HELPER" write 1; \#
          true'
          """#,
          1
        ),
        (
          #"""
          REACTIVE_TRACE=$LOG; export REACTIVE_TRACE; sh -c '"$HELPER" write 1; \#
          "$HELPER" write 1; true'
          """#,
          1
        ),
      ])
    func sameRun(script: String, count: UInt64) throws {
      #expect(try replaced(script, TemporaryLog()) == count)
    }
  #endif

  @Test(
    "A log doesn't count replaced logs of another run",
    arguments: [
      #"REACTIVE_TRACE=$LOG "$HELPER" write 1"#,
      #"REACTIVE_TRACE=$LOG "$HELPER" write 1; REACTIVE_TRACE=$LOG "$HELPER" write 1"#,
      #"for i in 1 2; do REACTIVE_TRACE=$LOG sh -c '"$HELPER" write 1; true'; done"#,
      #"""
      REACTIVE_TRACE=$LOG-other sh -c '"$HELPER" write 1; \#
      REACTIVE_TRACE=$LOG "$HELPER" write 1; REACTIVE_TRACE=$LOG "$HELPER" write 1'
      """#,
      #"""
      REACTIVE_TRACE=$LOG-%p sh -c '"$HELPER" write 1; "$HELPER" write 1; true'; \#
      REACTIVE_TRACE=$LOG "$HELPER" write 1
      """#,
    ])
  func otherRun(script: String) throws {
    let log = try TemporaryLog()
    #expect(try replaced(script, log) == 0)
  }

  @Test("A log doesn't count a replaced file that isn't a log")
  func otherContents() throws {
    for text in ["", "text", "text\n", "{}\n", #"{"t":0,"event":"end"}"# + "\n"] {
      let log = try TemporaryLog()
      try text.write(toFile: log.path, atomically: false, encoding: .utf8)
      #expect(try replaced(#"REACTIVE_TRACE=$LOG "$HELPER" write 1"#, log) == 0)
    }
  }
}
