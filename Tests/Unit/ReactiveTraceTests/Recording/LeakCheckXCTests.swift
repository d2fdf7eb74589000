import ReactiveKit
import XCTest

@testable import ReactiveTrace

/// Leak checks don't depend on the test framework.
final class LeakCheckXCTests: XCTestCase {
  func testACleanBodyReturnsItsResult() async throws {
    let result = try await Trace.expectNoLeaks {
      Signal<Int, Never>.never().lane("clean").observe { _ in }.dispose()
      await Task.yield()
      return 7
    }
    XCTAssertEqual(result, 7)
  }

  func testALeakIsThrown() {
    let bag = DisposeBag()
    defer { bag.dispose() }
    XCTAssertThrowsError(
      try Trace.expectNoLeaks(grace: .milliseconds(1)) {
        Signal<Int, Never>.never().lane("leak").observe { _ in }.dispose(in: bag)
      }
    ) { error in
      XCTAssertEqual((error as? Trace.LeakError)?.leaks.map(\.lane), ["leak"])
    }
  }
}
