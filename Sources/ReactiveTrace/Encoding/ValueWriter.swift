import TraceFormat

/// How the elements of one observation become text.
@usableFromInline
package struct ValueWriter<Element> {
  /// What is looked at for each element; it has no reference that would have to be counted.
  @usableFromInline
  package enum Way: UInt8, Sendable {
    /// By the type's own code in this package.
    case known
    /// By a closure of this package.
    case direct
    /// By code of a user, or by `String(describing:)`, which may call some.
    case text
    /// Not at all: the record has no text.
    case silent
    /// There is not even a record.
    case none
  }

  @usableFromInline let way: Way
  private var known: (any TraceText.Type)?
  private var direct: ((Element, inout TextBuffer) -> Void)?
  private var describe: ((Element) -> String)?

  private init(_ way: Way) { self.way = way }

  /// Elements without texts.
  package static var silent: ValueWriter { ValueWriter(.silent) }

  /// No elements.
  package static var none: ValueWriter { ValueWriter(.none) }

  /// The texts that `describe` makes.
  package static func text(_ describe: @escaping (Element) -> String) -> ValueWriter {
    var writer = ValueWriter(.text)
    writer.describe = describe
    return writer
  }

  /// The quickest way that gives the text of `String(describing:)`.
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

  /// Makes the text of an element by code of a user.
  @usableFromInline
  func described(_ element: Element) -> String { describe?(element) ?? "" }

  /// Makes the text of an element by code of this package.
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
