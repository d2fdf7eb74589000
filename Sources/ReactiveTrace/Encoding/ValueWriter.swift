import SwiftRuntime
import TraceFormat

/// A writer that turns the elements of one observation into text.
@usableFromInline
package struct ValueWriter<Element> {
  /// How the text is made, which is checked for each element. It doesn't contain references that
  /// need counting.
  @usableFromInline
  package enum Way: UInt8, Sendable {
    /// A plan makes the text in the thread's text buffer.
    case planned
    /// A plan makes the text in a separate buffer, because it calls user code that can itself send
    /// elements.
    case apart
    /// A closure of the user's or the standard library makes the text.
    case text
    /// The record doesn't have text.
    case silent
    /// Elements aren't recorded.
    case none
  }

  /// Everything about this writer except a closure of the user's: the address of its plan, and its
  /// way in the lowest bits, which the address of a plan doesn't use.
  @usableFromInline let word: UInt
  private var describe: ((Element) -> String)?

  private init(_ way: Way, _ plan: TextPlan.Pointer? = nil) {
    word = UInt(bitPattern: plan) | UInt(way.rawValue)
  }

  /// Creates the writer with a given `word`.
  init(word: UInt) { self.word = word }

  @inlinable static var wayBits: UInt { 7 }

  @inlinable var way: Way {
    @inline(__always) get {
      Way(rawValue: UInt8(truncatingIfNeeded: word & Self.wayBits)) ?? .none
    }
  }

  private var plan: TextPlan.Pointer? {
    @inline(__always) get { Self.plan(word) }
  }

  /// Returns the plan of a writer with a given `word`.
  @inline(__always)
  static func plan(_ word: UInt) -> TextPlan.Pointer? {
    TextPlan.Pointer(bitPattern: word & ~wayBits)
  }

  /// A writer that records elements without text.
  package static var silent: ValueWriter { ValueWriter(.silent) }

  /// A writer that doesn't record elements.
  package static var none: ValueWriter { ValueWriter(.none) }

  /// Returns a writer that makes the text with `describe`.
  package static func text(_ describe: @escaping (Element) -> String) -> ValueWriter {
    var writer = ValueWriter(.text)
    writer.describe = describe
    return writer
  }

  /// Returns the fastest writer whose text equals that of `String(describing:)`.
  package static func describing() -> ValueWriter {
    guard let plan = PlanTable.shared.plan(of: Metadata.address(of: Element.self), wait: true),
      !plan.pointee.isOwn
    else { return ValueWriter(.text) }
    return ValueWriter(plan.pointee.isPure ? .planned : .apart, plan)
  }

  /// A Boolean value that indicates whether the text comes from a plan.
  package var usesPlan: Bool { plan != nil }

  /// Returns the text of an element from user code or the standard library.
  @usableFromInline
  func described(_ element: Element) -> String {
    describe?(element) ?? String(describing: element)
  }

  /// Writes the text of an element according to the plan.
  @inline(__always)
  package func write(_ element: Element, to text: inout TextBuffer) {
    guard let plan else { return }
    withUnsafePointer(to: element) {
      TextPlan.write(plan, UnsafeRawPointer($0), nested: false, to: &text)
    }
  }
}
