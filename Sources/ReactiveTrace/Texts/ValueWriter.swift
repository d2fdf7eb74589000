import TraceFormat

/// The code that turns the elements of one observation into text.
@usableFromInline
package struct ValueWriter<Element> {
  /// The method for making the text, which is checked for each element. It contains no reference
  /// that needs counting.
  @usableFromInline
  package enum Way: UInt8, Sendable {
    /// A plan makes the text, in the memory for texts of the thread.
    case planned
    /// A plan makes the text, but the user's code may run meanwhile, which may send elements itself.
    /// So the text is made elsewhere.
    case apart
    /// The user's code makes the text.
    case text
    /// The record has no text.
    case silent
    /// There is no record.
    case none
  }

  @usableFromInline let way: Way
  private var plan: TextPlan.Pointer?
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
    guard let plan = PlanTable.shared.plan(of: Metadata.address(of: Element.self), wait: true),
      !plan.pointee.isOwn
    else { return .text { String(describing: $0) } }
    var writer = ValueWriter(plan.pointee.isPure ? .planned : .apart)
    writer.plan = plan
    return writer
  }

  /// A Boolean value that indicates whether the texts come from a plan.
  package var usesPlan: Bool { plan != nil }

  /// Returns the text of an element, made by the user's code.
  @usableFromInline
  func described(_ element: Element) -> String { describe?(element) ?? "" }

  /// Writes the text of an element to the memory of the thread.
  @usableFromInline
  func write(_ element: Element, to thread: UnsafeMutableRawPointer) {
    write(element, to: &thread.assumingMemoryBound(to: ThreadContext.self).pointee.text)
  }

  /// Writes the text of an element as the plan says.
  @inline(__always)
  package func write(_ element: Element, to text: inout TextBuffer) {
    guard let plan else { return }
    withUnsafePointer(to: element) {
      TextPlan.write(plan, UnsafeRawPointer($0), nested: false, to: &text)
    }
  }
}
