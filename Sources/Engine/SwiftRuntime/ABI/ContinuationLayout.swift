/// The layout of the object that notices if a checked continuation isn't resumed
/// (`CheckedContinuationCanary` in the runtime's `CheckedContinuation.swift`). Offsets in bytes.
package enum ContinuationLayout {
  /// The symbol of the metadata of its class.
  package static let metadataSymbol = "$ss25CheckedContinuationCanaryCN"
  /// The Task that waits, or 0 after the continuation was resumed.
  package static let task: UInt = 16
  /// The name of the function that waits, a `String`.
  package static let function: UInt = 24
}

/// The layout of a `String` (`StringObject.swift` of the standard library).
package enum StringLayout {
  /// The word with the address of the text, or with its last bytes and its size.
  package static let object: UInt = 8
  /// The bit that is set if the text is in the string itself.
  package static let isSmall: UInt = 1 << 61
  /// The bits of the size of a text that is in the string itself.
  package static let smallSize: UInt = 15 << 56
  package static let smallSizeShift: UInt = 56
  /// The bit that is set if the text isn't in an object of the standard library that is bridged.
  package static let isFast: UInt = 1 << 63
  /// The bits of the size, in bytes, in the first word.
  package static let size: UInt = (1 << 48) - 1
  /// The bits of the address. The text begins `bias` bytes after it.
  package static let address: UInt = (1 << 56) - 1
  package static let bias: UInt = 32
}
