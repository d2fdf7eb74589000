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

  func testPasses() async {
    let price = await Store().load(-1)
    XCTAssertEqual(price, 0)
  }
}
