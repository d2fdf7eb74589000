import Foundation

/// A file that is removed when the test ends.
package final class TemporaryFile {
  package let path: String

  package convenience init(_ text: String) {
    self.init(bytes: Array(text.utf8))
  }

  package init(bytes: [UInt8]) {
    var template = Array((TemporaryRoot.path + "/XXXXXX").utf8CString)
    let descriptor = mkstemp(&template)
    path = template.withUnsafeBufferPointer { $0.baseAddress.map(String.init(cString:)) ?? "" }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    try? file.write(contentsOf: bytes)
  }

  /// The contents of the file.
  package var bytes: [UInt8] {
    FileManager.default.contents(atPath: path).map(Array.init) ?? []
  }

  package var text: String { String(decoding: bytes, as: UTF8.self) }

  deinit {
    unlink(path)
  }
}
