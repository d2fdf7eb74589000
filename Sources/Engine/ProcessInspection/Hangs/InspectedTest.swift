import ProcessMemory
import TaskInspection

/// A test that a process runs.
package struct InspectedTest: Equatable, Sendable {
  package enum Library: Sendable { case swiftTesting, xctest }

  /// The name, such as `checkoutAddsUp()` or `ShopTests.testCheckout()`.
  package let name: String
  package let library: Library
  /// The index of the task that runs the test, or nil if it runs on a thread outside tasks.
  package let task: Int?
  /// The index of the thread that runs the test, or nil if the test waits.
  package let thread: Int?

  package init(name: String, library: Library, task: Int?, thread: Int?) {
    self.name = name
    self.library = library
    self.task = task
    self.thread = thread
  }

  /// Finds the running tests of a process.
  static func all(in inspection: Inspection) -> [InspectedTest] {
    let tests = inspection.tasks.indices.compactMap { swiftTesting($0, inspection) }
    return tests.isEmpty ? xctests(in: inspection) : tests
  }

  // Swift Testing names the tasks of tests like this (`Runner.swift` of swift-testing 6.3).
  private static let prefix = "[Swift Testing] test "
  private static let suffix = " - running"
  private static let ofCase = " test case "

  private static func swiftTesting(_ task: Int, _ inspection: Inspection) -> InspectedTest? {
    guard let test = inspection.tasks[task].record.name.flatMap(testName) else { return nil }
    let thread = inspection.tasks[task].thread.flatMap { number in
      inspection.threads.firstIndex { $0.thread == number }
    }
    return InspectedTest(name: test, library: .swiftTesting, task: task, thread: thread)
  }

  /// Returns the name of the test that a task runs, with the number of the case, such as
  /// `adds(_:) test case #2`, if the test has arguments.
  static func testName(ofTask name: String) -> String? {
    guard name.hasPrefix(prefix) else { return nil }
    var rest = name.dropFirst(prefix.count)
    var number: Substring = ""
    if let mark = rest.lastIndex(of: "#"), rest[..<mark].hasSuffix(ofCase),
      rest[mark...].dropFirst().allSatisfy(\.isNumber)
    {
      number = rest[mark...]
      rest = rest[..<mark].dropLast(ofCase.count)
    }
    guard rest.hasSuffix(suffix), rest.count > suffix.count else { return nil }
    return rest.dropLast(suffix.count) + (number.isEmpty ? "" : ofCase + number)
  }

  /// XCTest doesn't name anything after a test. It calls the test from the main thread, or from a
  /// task if the test is asynchronous.
  private static func xctests(in inspection: Inspection) -> [InspectedTest] {
    guard
      let main = inspection.threads.firstIndex(where: { $0.frames.contains(where: \.isOfXCTest) })
    else { return [] }
    let frames = inspection.threads[main].frames
    if let test = frames.last(where: {
      $0.origin == .user && !$0.isEntry && !$0.isListOfTests
    }) {
      return [
        InspectedTest(
          name: test.wholeFunction ?? test.offset, library: .xctest,
          task: inspection.threads[main].task, thread: main)
      ]
    }
    // The function of the test is the outermost one in its task that isn't XCTest's.
    return inspection.tasks.indices.compactMap { index -> InspectedTest? in
      let task = inspection.tasks[index]
      guard task.frames.contains(where: \.isOfXCTest),
        let test = task.frames.last(where: { $0.origin == .user && !$0.isListOfTests })
      else { return nil }
      return InspectedTest(
        name: test.wholeFunction ?? test.offset, library: .xctest, task: index, thread: nil)
    }
  }
}

extension InspectedFrame {
  /// A Boolean value that indicates whether this is a closure in the list of tests that SwiftPM
  /// generates for XCTest, the property `__allTests__` and the name of the class.
  ///
  /// The symbol doesn't contain this name as a whole, because a mangled name doesn't repeat words.
  var isListOfTests: Bool { function?.contains(".__allTests__") == true }

  var isOfXCTest: Bool {
    // The module in a mangled name.
    symbol?.contains("6XCTest") == true || offset.hasPrefix("libXCTest.so")
  }
}
