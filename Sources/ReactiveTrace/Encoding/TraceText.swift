import TraceFormat

/// A type that writes its text without an allocation. The text equals that of
/// `String(describing:)`.
protocol TraceText {
  func write(to text: inout TextBuffer)
  /// Writes the text of a value inside a collection or an optional, which equals that of
  /// `String(reflecting:)`.
  func writeNested(to text: inout TextBuffer)
  /// Writes the text of the value at an address. Code that knows the type only at run time can use
  /// this to avoid a copy.
  static func write(at address: UnsafeRawPointer, to text: inout TextBuffer)
}

extension TraceText {
  static func write(at address: UnsafeRawPointer, to text: inout TextBuffer) {
    address.assumingMemoryBound(to: Self.self).pointee.write(to: &text)
  }

  func writeNested(to text: inout TextBuffer) { write(to: &text) }
}

extension TraceText where Self: FixedWidthInteger {
  func write(to text: inout TextBuffer) {
    if let integer = Int(exactly: self) {
      text.append(integer: integer)
    } else {
      text.append(String(self))
    }
  }
}

extension Int: TraceText {}
extension Int8: TraceText {}
extension Int16: TraceText {}
extension Int32: TraceText {}
extension Int64: TraceText {}
extension UInt: TraceText {}
extension UInt8: TraceText {}
extension UInt16: TraceText {}
extension UInt32: TraceText {}
extension UInt64: TraceText {}

extension Bool: TraceText {
  func write(to text: inout TextBuffer) {
    if self { text.append("true" as StaticString) } else { text.append("false" as StaticString) }
  }
}

extension TraceText where Self: BinaryFloatingPoint & TextOutputStreamable {
  func write(to text: inout TextBuffer) { stream(self, to: &text) }
}

extension Double: TraceText {}
extension Float: TraceText {}

private func stream(_ number: some TextOutputStreamable, to text: inout TextBuffer) {
  number.write(to: &text)
}

extension String: TraceText {
  func write(to text: inout TextBuffer) { text.append(self) }
  func writeNested(to text: inout TextBuffer) { Substring(self).writeNested(to: &text) }
}

extension Substring: TraceText {
  func write(to text: inout TextBuffer) {
    var copy = self
    copy.withUTF8 { text.append($0) }
  }

  /// Writes the text in quotes, with escapes if necessary.
  func writeNested(to text: inout TextBuffer) {
    var copy = self
    let isPlain = copy.withUTF8 { bytes in
      guard bytes.allSatisfy({ 0x20...0x7E ~= $0 && !Substring.needsEscape($0) }) else {
        return false
      }
      text.append(byte: UInt8(ascii: "\""))
      text.append(bytes)
      text.append(byte: UInt8(ascii: "\""))
      return true
    }
    if !isPlain { text.append(String(reflecting: self)) }
  }

  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\\")
  }
}

extension Character: TraceText {
  func write(to text: inout TextBuffer) { text.append(String(self)) }
  func writeNested(to text: inout TextBuffer) { String(self).writeNested(to: &text) }
}

extension Optional: TraceText where Wrapped: TraceText {
  func write(to text: inout TextBuffer) {
    guard let self else { return text.append("nil" as StaticString) }
    text.append("Optional(" as StaticString)
    self.writeNested(to: &text)
    text.append(byte: UInt8(ascii: ")"))
  }
}

extension Array: TraceText where Element: TraceText {
  func write(to text: inout TextBuffer) {
    text.append(byte: UInt8(ascii: "["))
    for index in indices {
      if index > 0 { text.append(", " as StaticString) }
      self[index].writeNested(to: &text)
    }
    text.append(byte: UInt8(ascii: "]"))
  }
}
