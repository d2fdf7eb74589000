import TraceFormat

/// The code that turns the elements of one observation into text.
@usableFromInline
package struct ValueWriter<Element> {
  /// The method for making the text, which is checked for each element. It contains no reference
  /// that needs counting.
  @usableFromInline
  package enum Way: UInt8, Sendable {
    /// The type's own code in this package makes the text.
    case known
    /// A closure of this package makes the text.
    case direct
    /// The user's code makes the text, or `String(describing:)`, which may call the user's code.
    case text
    /// The record has no text.
    case silent
    /// There is no record.
    case none
  }

  @usableFromInline let way: Way
  private var known: (any TraceText.Type)?
  private var direct: ((Element, inout TextBuffer) -> Void)?
  private var describe: ((Element) -> String)?

  private init(_ way: Way) { self.way = way }

  /// A writer that records elements without texts.
  package static var silent: ValueWriter { ValueWriter(.silent) }

  /// A writer that records no elements.
  package static var none: ValueWriter { ValueWriter(.none) }

  /// Returns a writer that takes the texts from `describe`.
  package static func text(_ describe: @escaping (Element) -> String) -> ValueWriter {
    var writer = ValueWriter(.text)
    writer.describe = describe
    return writer
  }

  /// Returns the fastest writer whose texts equal those of `String(describing:)`.
  package static func describing() -> ValueWriter {
    if let known = Element.self as? any TraceText.Type {
      var writer = ValueWriter(.known)
      writer.known = known
      return writer
    }
    var writer = ValueWriter(.direct)
    if Element.self is any RawRepresentable.Type, let cached = CachedTexts<Element>() {
      writer.direct = { element, text in cached.write(element, to: &text) }
    } else if UUIDText.isUUID(Element.self) {
      writer.direct = { element, text in UUIDText.write(element, to: &text) }
    } else {
      return .text { String(describing: $0) }
    }
    return writer
  }

  /// Returns the text of an element, made by the user's code.
  @usableFromInline
  func described(_ element: Element) -> String { describe?(element) ?? "" }

  /// Writes the text of an element with code of this package.
  @usableFromInline
  func write(_ element: Element, to thread: UnsafeMutableRawPointer) {
    let context = thread.assumingMemoryBound(to: ThreadContext.self)
    if let known {
      withUnsafeBytes(of: element) { bytes in
        if let address = bytes.baseAddress { known.write(at: address, to: &context.pointee.text) }
      }
    } else {
      direct?(element, &context.pointee.text)
    }
  }
}
