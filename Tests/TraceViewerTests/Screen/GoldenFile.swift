import Foundation

/// Screens in files, which are what is to be shown.
///
/// With `UPDATE_SCREENS` in the environment they are written anew.
enum GoldenFile {
  private static let here = URL(filePath: #filePath).deletingLastPathComponent()
  private static let root = here.deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// A file of the package.
  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  static let isUpdated = ProcessInfo.processInfo.environment["UPDATE_SCREENS"] != nil

  /// What a screen is to be; when screens are updated, what it is.
  static func expected(_ name: String, shown: String) throws -> String {
    let fileName = name.replacing(", ", with: " ").replacing(" ", with: "-")
    let file = here.appending(path: "Screens/\(fileName).txt")
    if isUpdated { try shown.write(to: file, atomically: true, encoding: .utf8) }
    return try String(contentsOf: file, encoding: .utf8)
  }
}
