import Foundation
import TestSupport
import Testing

@Suite(
  "Forked children", .ownThread,
  .enabled(if: !isSanitized, "a sanitizer doesn't start threads after a fork"))
struct ForkTests {
  private let times = TestLength.isLong ? 5000 : 150

  @Test("A child continues its parent's observation while other parent threads observe")
  func observations() throws {
    let log = try TemporaryLog()
    let settings = ["REACTIVE_TRACE_ALL": "1", "REACTIVE_TRACE_MAX_SIZE": "256K"]
    let result = try Helper(["forks-observing", "\(times)"], trace: log.path, settings).finish()
    #expect(result.status == 0)
    #expect(result.output == "\(times)\n")
  }

  @Test("A child continues its parent's leak check", arguments: [false, true])
  func leakChecks(hasLog: Bool) throws {
    let log = try TemporaryLog()
    let result = try Helper(
      ["forks-checking", "\(times)"], trace: hasLog ? log.path : nil,
      ["REACTIVE_TRACE_MAX_SIZE": "256K"]
    ).finish()
    #expect(result.status == 0)
    #expect(result.output == "\(times)\n")
  }

  @Test("A child doesn't keep the log of its dead parent locked")
  func outlivedParent() throws {
    let log = try TemporaryLog()
    let result = try Helper(["fork-outlive", log.path], trace: nil).finish()
    #expect(result.status == 0)
    #expect(result.output == "free\n")
  }

  @Test("Forking doesn't deadlock while a log starts under a lock of a fork handler")
  func handler() throws {
    let log = try TemporaryLog()
    let result = try Helper(["fork-handler", log.path], trace: nil).finish()
    #expect(result.status == 0)
    #expect(result.output == "forked\n")
    #expect(try log.records().contains { $0["lane"] as? String == "a" })
  }
}
