/// The texts of the values of a small type without references, such as an enumeration with raw
/// values. Each text is made once.
final class CachedTexts<Value> {
  private var bits: [UInt64] = []
  private var texts: [String] = []
  private static var capacity: Int { 64 }

  init?() {
    // A custom description may return a different text the next time, or may itself be traced.
    guard _isPOD(Value.self), MemoryLayout<Value>.size <= 8,
      !(Value.self is any CustomStringConvertible.Type),
      !(Value.self is any CustomDebugStringConvertible.Type),
      !(Value.self is any TextOutputStreamable.Type), !(Value.self is any CustomReflectable.Type)
    else { return nil }
  }

  /// Writes the text of a value. Calls must be serial, which the elements of an observation are.
  func write(_ value: Value, to text: inout TextBuffer) {
    let key = Self.bits(of: value)
    if let index = bits.firstIndex(of: key) { return text.append(texts[index]) }
    let made = String(describing: value)
    if bits.count < Self.capacity {
      bits.append(key)
      texts.append(made)
    }
    text.append(made)
  }

  private static func bits(of value: Value) -> UInt64 {
    var bits: UInt64 = 0
    withUnsafeBytes(of: value) { bytes in
      withUnsafeMutableBytes(of: &bits) { $0.copyMemory(from: bytes) }
    }
    return bits
  }
}
