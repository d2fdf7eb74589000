import SystemLibrary
import TestSupport

@testable import TerminalUI
@testable import TraceAnalysis
@testable import TraceFormat
@testable import ViewerConsole

/// A directory that is removed with its contents when the test ends.
final class TemporaryDirectory {
  let path: String

  /// - Parameter files: The texts of files by their paths in the directory.
  init(_ files: [String: String] = [:]) {
    path = (try? TemporaryRoot.makeFolder()) ?? "/nonexistent"
    for (name, text) in files { write(text, to: name) }
  }

  func write(_ text: String, to name: String) {
    var folder = path
    for part in name.split(separator: "/").dropLast() {
      folder += "/" + part
      mkdir(folder, 0o755)
    }
    guard let file = fopen(path + "/" + name, "w") else { return }
    fputs(text, file)
    fclose(file)
  }

  /// Returns the text of a file, or nil if the file doesn't exist.
  func text(_ name: String) -> String? {
    guard case .bytes(let bytes) = InputFile.read(path + "/" + name) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  deinit {
    TemporaryDirectory.remove(path)
  }

  private static func remove(_ path: String) {
    for entry in DirectoryListing.read(path) {
      let child = path + "/" + entry.name
      if entry.isDirectory { remove(child) } else { unlink(child) }
    }
    rmdir(path)
  }
}
