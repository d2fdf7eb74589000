/// The place of a generic parameter's type, which a closure captures in one of its values.
///
/// This is the reflection metadata of closures (`swift/RemoteInspection/MetadataSource.h`). It has
/// a mangling of its own.
package indirect enum MetadataSource {
  /// A metadata word before the captured values, such as `B0`.
  case binding(Int)
  /// The class of a captured object, such as `R2_`.
  case reference(Int)
  /// A captured metatype, such as `M1_`.
  case metadata(Int)
  /// A generic argument of another source, such as `G1B0_`.
  case argument(Int, of: MetadataSource)

  /// Parses a source at an address. Returns nil if its kind isn't supported.
  package init?(at address: UInt) { self.init(Metadata.text(address)) }

  package init?(_ text: String) {
    var cursor = MangledName.Cursor(text.utf8)
    self.init(&cursor)
  }

  private init?(_ cursor: inout MangledName.Cursor) {
    guard let kind = cursor.skip(oneOf: "BRMG".utf8), let number = cursor.number() else {
      return nil
    }
    switch kind {
    case UInt8(ascii: "B"): self = .binding(number)
    case UInt8(ascii: "R"): self = .reference(number)
    case UInt8(ascii: "M"): self = .metadata(number)
    default:
      guard let source = MetadataSource(&cursor) else { return nil }
      self = .argument(number, of: source)
    }
  }
}
