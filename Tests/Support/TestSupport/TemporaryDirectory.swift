import Foundation

/// A directory that is removed with its contents when the test ends.
package final class TemporaryDirectory {
  package let path: String

  /// - Parameter files: The contents of files by their paths in the directory.
  package init(_ files: [String: String] = [:]) {
    path = (try? TemporaryRoot.makeFolder()) ?? "/nonexistent"
    for (name, text) in files { write(text, to: name) }
  }

  package func write(_ text: String, to name: String) {
    var folder = path
    for part in name.split(separator: "/").dropLast() {
      folder += "/" + part
      mkdir(folder, 0o755)
    }
    // A process that another test starts now must not inherit the descriptor. Otherwise, a script
    // couldn't be run while that process lives.
    guard let file = fopen(path + "/" + name, "we") else { return }
    fputs(text, file)
    fclose(file)
  }

  /// Returns the text of a file, or nil if the file doesn't exist.
  package func text(_ name: String) -> String? {
    FileManager.default.contents(atPath: path + "/" + name)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// The names of the files in the directory.
  package var names: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }
}
