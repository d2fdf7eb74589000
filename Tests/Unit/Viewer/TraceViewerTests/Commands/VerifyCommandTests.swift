import TestSupport
import Testing

@testable import TraceAnalysis
@testable import ViewerConsole
@testable import trace_viewer

/// `Samples/Conformance/kit.py` has a log for each fault.
@Suite("trace-viewer verify", .ownThread)
struct VerifyCommandTests {
  private static let log = SampleLog.make(
    [#"{"t":8,"event":"thread","thread":2,"name":"worker"}"#]
      + SampleLog.clean.split(separator: "\n").dropFirst().dropLast().map(String.init))
  private static let lines = log.split(separator: "\n").map(String.init)

  @Test("A complete log is valid, and a log without an end is incomplete")
  func validLogs() {
    let log = TemporaryFile(Self.log)
    let valid = run("verify", log.path)
    #expect(valid.code == .clean, "\(valid.error)")
    #expect(valid.out.hasPrefix("Valid: "))
    let cut = TemporaryFile(Self.lines.dropLast().joined(separator: "\n") + "\n")
    let incomplete = run("verify", cut.path)
    #expect(incomplete.code == .inconclusive)
    #expect(incomplete.out.hasPrefix("Valid, but incomplete: "))
    #expect(incomplete.error.contains("did not write the end"))
  }

  @Test("Each fault is reported with its line, and faults beyond the twentieth are counted")
  func faults() throws {
    let end = try #require(Self.lines.firstIndex { $0.contains("\"completed\"") })
    let repeated = Array(repeating: Self.lines[end], count: 25)
    let log = TemporaryFile(
      (Self.lines[...end] + repeated + Self.lines[(end + 1)...]).joined(separator: "\n") + "\n")
    let wrong = run("verify", log.path)
    #expect(wrong.code == .notALog)
    #expect(wrong.out.isEmpty)
    #expect(wrong.error.contains("\(log.path):\(end + 2): subscription #"))
    #expect(wrong.error.contains("more faults"))
  }

  @Test("Damage and files that are not logs are errors")
  func damage() {
    let damaged = TemporaryFile(Self.lines[0] + "\nhello\n" + Self.lines[1] + "\n")
    let result = run("verify", damaged.path)
    #expect(result.code == .notALog)
    #expect(result.error.contains("Error: \(damaged.path):2: not a JSON object"))
    let other = TemporaryFile("hello\n")
    #expect(run("verify", other.path).code == .notALog)
    #expect(run("verify", other.path + ".missing").code == .cannotOpen)
    #expect(run("verify").code == .usage)
  }
}
