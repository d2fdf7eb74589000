package import Foundation

/// The folder of this package.
package enum PackageFolder {
  package static let url = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in
    url.deletingLastPathComponent()
  }

  /// Returns the text of a file.
  ///
  /// - Parameter path: The path from the folder, such as `Samples/README.md`.
  package static func text(_ path: String) throws -> String {
    try String(contentsOf: url.appending(path: path), encoding: .utf8)
  }
}
