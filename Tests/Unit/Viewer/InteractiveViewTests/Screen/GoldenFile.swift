import Foundation

/// Expected screens in files.
///
/// With `UPDATE_SCREENS` in the environment, the tests rewrite the files.
enum GoldenFile {
  private static let here = URL(filePath: #filePath).deletingLastPathComponent()

  static let isUpdated = ProcessInfo.processInfo.environment["UPDATE_SCREENS"] != nil

  /// Returns the expected screen or, if screens are updated, the shown one.
  static func expected(_ name: String, shown: String) throws -> String {
    let fileName = name.replacing(", ", with: " ").replacing(" ", with: "-")
    let file = here.appending(path: "Screens/\(fileName).txt")
    if isUpdated { try shown.write(to: file, atomically: true, encoding: .utf8) }
    return try String(contentsOf: file, encoding: .utf8)
  }
}
