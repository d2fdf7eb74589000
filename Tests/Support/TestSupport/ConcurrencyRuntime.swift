import Foundation

/// The runtime of Swift concurrency with which the tests run.
package enum ConcurrencyRuntime {
  /// A Boolean value that indicates whether the runtime's library has the names of all of its
  /// functions. Debian's package, for example, doesn't.
  package static let hasAllNames: Bool = {
    let map = try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
    let line = map?.split(separator: "\n").first { $0.hasSuffix("/libswift_Concurrency.so") }
    guard let path = line?.split(separator: " ").last,
      let file = FileManager.default.contents(atPath: String(path))
    else { return true }
    return file.range(of: Data(".symtab\0".utf8)) != nil
  }()
}
