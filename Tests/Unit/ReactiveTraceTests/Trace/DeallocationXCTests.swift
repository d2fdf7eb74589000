import XCTest

@testable import ReactiveTrace

/// Objects that live until the test function returns are checked afterward.
final class DeallocationXCTests: XCTestCase {
  func testAScreenIsDeallocatedAfterItsTest() {
    let screen = EditorScreen()
    let check = Trace.DeallocationCheck(screen)
    addTeardownBlock { try check.verify() }
    screen.bindWeakly()
  }

  func testALeakIsReportedAfterItsTest() {
    let screen = EditorScreen()
    let check = Trace.DeallocationCheck(screen)
    addTeardownBlock {
      XCTAssertThrowsError(try check.verify(grace: .milliseconds(1))) { error in
        let error = error as? Trace.DeallocationError
        XCTAssertEqual(error?.objects.map(\.type), ["EditorScreen"])
      }
    }
    screen.bindStrongly()
  }
}
