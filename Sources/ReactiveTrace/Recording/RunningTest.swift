import CRuntime.OwnProcess
import SystemLibrary

/// The test that runs at the moment.
///
/// The testing libraries aren't linked here. If the process has loaded one, its functions are found
/// by their symbols, on Linux with x86-64 or ARM64. In programs that aren't tests, asking takes one
/// load.
struct RunningTest: Hashable, Sendable {
  /// The name with the names of its suites, such as `CartTests/titleLeaks()`.
  let name: String
  /// The line where the test is declared, such as `ShopTests/CartTests.swift:8`, if that is known.
  var source: String?

  #if os(Linux) && (arch(x86_64) || arch(arm64))
    /// The test of the current task, as Swift Testing knows it, or else the test that XCTest runs
    /// at the moment on any thread.
    static var current: RunningTest? { swiftTesting?.current ?? xctest?.current }

    private static let swiftTesting = SwiftTestingLibrary()
    private static let xctest = XCTestLibrary()
  #else
    static var current: RunningTest? { nil }
  #endif
}

#if os(Linux) && (arch(x86_64) || arch(arm64))
  /// The functions of Swift Testing that tell which test runs. All are public API of the library.
  private struct SwiftTestingLibrary: Sendable {
    /// The addresses of the functions.
    private let currentTest, id, components, sourceLocation, file, line: UInt
    private let optionalTestType, idType, locationType: any Any.Type

    /// Finds the functions. Returns nil if the process hasn't loaded the library, or another
    /// version of it.
    init?() {
      guard
        let currentTest = Symbols.address("$s7Testing4TestV7currentACSgvgZ"),
        let id = Symbols.address("$s7Testing4TestV2idAC2IDVvg"),
        let components = Symbols.address("$s7Testing4TestV2IDV14nameComponentsSaySSGvg"),
        let sourceLocation = Symbols.address("$s7Testing4TestV14sourceLocationAA06SourceD0Vvg"),
        let file = Symbols.address("$s7Testing14SourceLocationV6fileIDSSvg"),
        let line = Symbols.address("$s7Testing14SourceLocationV4lineSivg"),
        let optionalTestType = _typeByName("7Testing4TestVSg"),
        let idType = _typeByName("7Testing4TestV2IDV"),
        let locationType = _typeByName("7Testing14SourceLocationV")
      else { return nil }
      self.currentTest = currentTest
      self.id = id
      self.components = components
      self.sourceLocation = sourceLocation
      self.file = file
      self.line = line
      self.optionalTestType = optionalTestType
      self.idType = idType
      self.locationType = locationType
    }

    var current: RunningTest? { readCurrent(optionalTestType) }

    private func readCurrent<OptionalTest>(_: OptionalTest.Type) -> RunningTest? {
      let test = Self.value(of: OptionalTest.self) { trace_get_static(currentTest, $0) }
      return (test as? any OptionalValue)?.describe(with: self)
    }

    fileprivate func describe<Test>(_ test: Test) -> RunningTest? {
      withUnsafePointer(to: test) { test in
        let words = names(of: test, idType)
        guard !words.isEmpty else { return nil }
        return RunningTest(
          name: words.joined(separator: "/"),
          source: place(of: test, locationType))
      }
    }

    private func names<ID>(of test: UnsafeRawPointer, _: ID.Type) -> [String] {
      let id = Self.value(of: ID.self) { trace_get_value(self.id, test, $0) }
      return withUnsafePointer(to: id) { id in
        Self.value(of: [String].self) { result in
          result.storeBytes(of: trace_get_words(components, id).first, as: UInt.self)
        }
      }
    }

    private func place<Location>(of test: UnsafeRawPointer, _: Location.Type) -> String {
      let location = Self.value(of: Location.self) { trace_get_value(sourceLocation, test, $0) }
      return withUnsafePointer(to: location) { location in
        let file = Self.value(of: String.self) { result in
          result.storeBytes(of: trace_get_words(self.file, location), as: trace_words.self)
        }
        return "\(file):\(trace_get_words(line, location).first)"
      }
    }

    /// Returns the value that a function stores at an address.
    private static func value<Value>(
      of type: Value.Type, _ store: (UnsafeMutableRawPointer) -> Void
    ) -> Value {
      withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { buffer in
        // A temporary buffer of one value has an address.
        store(UnsafeMutableRawPointer(buffer.baseAddress.unsafelyUnwrapped))
        return buffer.moveElement(from: 0)
      }
    }
  }

  private protocol OptionalValue {
    func describe(with library: SwiftTestingLibrary) -> RunningTest?
  }

  extension Optional: OptionalValue {
    fileprivate func describe(with library: SwiftTestingLibrary) -> RunningTest? {
      map { library.describe($0) } ?? nil
    }
  }

  /// The variable of XCTest with the test case that runs, and the function that returns its name.
  ///
  /// The variable isn't public, so the library's own table of symbols is read for it once. A test
  /// case belongs to its suite, so it isn't deallocated while tests run.
  private struct XCTestLibrary: Sendable {
    /// The address of the variable.
    private let currentTestCase: UInt
    /// The address of the function.
    private let name: UInt

    init?() {
      let clock = LogClock()
      guard let name = Symbols.address("$s6XCTest0A4CaseC4nameSSvg"),
        let variable = Causes.search?.address(
          ofVariable: "$s6XCTest18XCTCurrentTestCaseAA0aD0CSgvp", besideCodeAt: name,
          isInTime: { clock.now < Self.maxTime })
      else { return nil }
      currentTestCase = variable
      self.name = name
    }

    /// The maximum time for reading the symbols, in nanoseconds. They take about a millisecond.
    private static let maxTime = 200_000_000

    var current: RunningTest? {
      guard let object = UnsafePointer<UnsafeRawPointer?>(bitPattern: currentTestCase)?.pointee
      else { return nil }
      let name = withUnsafeTemporaryAllocation(of: String.self, capacity: 1) { buffer in
        UnsafeMutableRawPointer(buffer.baseAddress.unsafelyUnwrapped)
          .storeBytes(of: trace_get_words(self.name, object), as: trace_words.self)
        return buffer.moveElement(from: 0)
      }
      return name.isEmpty ? nil : RunningTest(name: name)
    }
  }

  private enum Symbols {
    static func address(_ name: String) -> UInt? {
      // A null handle stands for all libraries of the process.
      dlsym(nil, name).map { UInt(bitPattern: $0) }
    }
  }
#endif
