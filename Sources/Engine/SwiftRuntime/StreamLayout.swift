/// The asynchronous streams of the standard library.
package enum StreamLayout {
  /// Returns whether a class is the storage of a stream. The senders to a stream retain the
  /// storage, which ends with the stream's consumer.
  package static func isStorage(_ type: Any.Type) -> Bool {
    let name = String(reflecting: type)
    return name.hasPrefix("Swift.Async") && name.hasSuffix("._Storage")
  }
}
