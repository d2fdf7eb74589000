/// The asynchronous streams of the standard library.
package enum StreamLayout {
  /// Returns whether a class is the storage of a stream. What sends to a stream retains the storage,
  /// and it ends with the one who reads.
  package static func isStorage(_ type: Any.Type) -> Bool {
    let name = String(reflecting: type)
    return name.hasPrefix("Swift.Async") && name.hasSuffix("._Storage")
  }
}
