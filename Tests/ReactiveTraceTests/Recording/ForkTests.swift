import Foundation
import TestSupport
import Testing

@testable import ReactiveTrace

@Suite(
  "a forked child", .ownThread,
  .enabled(if: !isSanitized, "a sanitizer starts no threads after a fork"))
struct ForkTests {
  private let times = TestLength.isLong ? 5000 : 500

  @Test("goes on with an observation of its parent, whatever other threads of that observe")
  func observations() throws {
    let log = try TemporaryLog()
    let settings = ["REACTIVE_TRACE_ALL": "1", "REACTIVE_TRACE_MAX_SIZE": "256K"]
    let result = try Helper(["forks-observing", "\(times)"], trace: log.path, settings).finish()
    #expect(result.status == 0)
    #expect(result.output == "\(times)\n")
  }

  @Test("goes on with a leak check of its parent", arguments: [false, true])
  func leakChecks(hasLog: Bool) throws {
    let log = try TemporaryLog()
    let result = try Helper(
      ["forks-checking", "\(times)"], trace: hasLog ? log.path : nil,
      ["REACTIVE_TRACE_MAX_SIZE": "256K"]
    ).finish()
    #expect(result.status == 0)
    #expect(result.output == "\(times)\n")
  }

  @Test("does not keep the file of its parent from others when the parent is gone")
  func outlivedParent() throws {
    let log = try TemporaryLog()
    let result = try Helper(["fork-outlive", log.path], trace: nil).finish()
    #expect(result.status == 0)
    #expect(result.output == "free\n")
  }

  @Test("begins while another thread starts a log under a lock of a fork handler")
  func handler() throws {
    let log = try TemporaryLog()
    let result = try Helper(["fork-handler", log.path], trace: nil).finish()
    #expect(result.status == 0)
    #expect(result.output == "forked\n")
    #expect(try log.records().contains { $0["lane"] as? String == "a" })
  }
}
