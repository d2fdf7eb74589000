import Foundation
import TestSupport
import Testing

/// The list of operators that the contracts are tested with, compared with the operators in the
/// sources.
@Suite("The list of operators")
struct OperatorListTests {
  /// Operators without a case, each with the reason.
  private static let exempt = [
    "debug": "prints each event",
    "breakpointOnError": "stops the process",
  ]

  /// Returns the contents of a source file, or of all source files in a folder.
  private static func sources(in path: String) throws -> [String] {
    let folder = PackageFolder.url.appending(path: path)
    if path.hasSuffix(".swift") { return [try String(contentsOf: folder, encoding: .utf8)] }
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    return try names.filter { $0.hasSuffix(".swift") }.map {
      try String(contentsOf: folder.appending(path: $0), encoding: .utf8)
    }
  }

  @Test(
    "The list of operators contains every operator in the sources",
    arguments: [("Operators", 80), ("Connecting", 5), ("Loading/ReplayValues.swift", 1)])
  func complete(place: String, minCount: Int) throws {
    let cases = try Self.sources(in: "Tests/Unit/ReactiveKitTests/Contracts").joined()
    // A method that returns a signal, from its name to its body.
    let operators = #/public func (\w+)(?:<[^>]*>)?\([^{]*->\s*(?:Connectable|Safe)?Signal</#
    var count = 0
    for source in try Self.sources(in: "Sources/ReactiveKit/\(place)") {
      for match in source.matches(of: operators) {
        let name = String(match.output.1)
        count += 1
        #expect(
          cases.contains(".\(name)(") || cases.contains(".\(name) {") || Self.exempt[name] != nil,
          "'\(name)' has no case in OperatorCases.swift.")
      }
    }
    // Checks that the pattern still finds operators.
    #expect(count > minCount)
  }
}
