import Foundation

/// The runtime of Swift concurrency with which the tests run.
package enum ConcurrencyRuntime {
  /// A Boolean value that indicates whether the runtime's library has the names of all of its
  /// functions. Debian's package, for example, doesn't.
  package static let hasAllNames: Bool = {
    // Foundation's other ways to read a file only return the first 4 KB of this one in Swift 6.2.
    let map = try? FileHandle(forReadingAtPath: "/proc/self/maps")?.readToEnd()
    let lines = map.map { String(decoding: $0, as: UTF8.self).split(separator: "\n") }
    let line = lines?.first { $0.hasSuffix("/libswift_Concurrency.so") }
    guard let path = line?.split(separator: " ").last,
      let file = FileManager.default.contents(atPath: String(path))
    else { return true }
    return file.range(of: Data(".symtab\0".utf8)) != nil
  }()
}
