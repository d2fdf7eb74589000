import CodeLocations
import SwiftRuntime

/// The modules whose objects aren't the user's: those of the toolchain and those of the recorder.
///
/// A leak that consists only of their objects is a framework's. The user can't fix it, so it is
/// counted but not reported. The same applies to a cycle whose steps are all fields of a test
/// framework, even if the user's test class is on it:
///
/// - XCTest: each test and its run retain each other, and nothing breaks that cycle when the run is
///   over (swift-corelibs-xctest, `XCTest.testRun` and `XCTestRun.test`).
package enum FrameworkModules {
  private static let ofTests: Set<String> = ["XCTest", "Testing", "_Testing_Foundation"]

  package static func containOfTests(_ module: String) -> Bool { ofTests.contains(module) }

  package static func contain(_ module: String) -> Bool {
    ofTests.contains(module) || SystemModules.contain(module: module)
      || OwnModules.ofRecorder.contains(module)
  }
}
