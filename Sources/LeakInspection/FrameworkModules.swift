import SwiftRuntime

/// The modules whose objects aren't the user's: those of the toolchain.
///
/// A leak that consists only of their objects is a framework's. The user can't fix it, so it is
/// counted but not reported. Known ones:
///
/// - XCTest: each `XCTestSuite` and its `XCTestSuiteRun` retain each other (swift-corelibs-xctest,
///   `XCTestRun.test` and `XCTest.testRun`).
enum FrameworkModules {
  private static let ofTests: Set<String> = ["XCTest", "Testing", "_Testing_Foundation"]

  static func contain(_ module: String) -> Bool {
    ofTests.contains(module) || SystemModules.contain(module: module)
  }
}
