import Shop
import XCTest

final class ShopXCTests: XCTestCase {
  func testExpectation() {
    let loaded = expectation(description: "loaded")
    Task { if await Store().load(1) == 1 { loaded.fulfill() } }
    wait(for: [loaded], timeout: 100_000)  // culprit: xctestExpectation
  }

  func testAsync() async {
    let price = await Store().load(1)
    XCTAssertEqual(price, 1)
  }

  func testLocks() { Accounts().deposit() }

  func testReceive() { XCTAssertEqual(Connection().readLine(), "hello") }

  func testFulfillment() async {
    let loaded = expectation(description: "loaded")
    await fulfillment(of: [loaded], timeout: 100_000)  // culprit: xctestFulfillment
  }

  func testPredicate() {
    let done = expectation(description: "done")
    let waiter = XCTWaiter()
    XCTAssertEqual(waiter.wait(for: [done], timeout: 100_000), .completed)  // culprit: xctestWaiter
  }

  func testPasses() async {
    let price = await Store().load(-1)
    XCTAssertEqual(price, 0)
  }
}
