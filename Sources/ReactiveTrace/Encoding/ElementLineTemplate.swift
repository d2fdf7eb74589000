import TraceFormat

/// The prepared records of the elements of one subscription. Only time, value and thread differ
/// between these records.
///
///     {"t":1204,"event":"next","sub":1,"lane":"search","value":"swift","thread":2}
///               ------------------- prepared ----------
///
/// A record goes directly into the file, in the steps of `LinePublisher`. The steps of the prepared
/// part are computed once.
///
/// A template has its own memory, which `free` deallocates. Using it doesn't require reference
/// counting.
package struct ElementLineTemplate {
  /// One store of 16 bytes, at an offset in the prepared part.
  struct Step: Sendable {
    let offset: Int
    let low: UInt64
    let high: UInt64
  }

  /// The start of the memory, which the steps follow.
  private struct Head {
    let stepCount: Int
    let count: Int
    let lastLow: UInt64
    let lastHigh: UInt64
  }

  private let head: UnsafeMutablePointer<Head>

  /// The address of the memory.
  var address: UInt { UInt(bitPattern: head) }
  /// The size in bytes of the prepared part, as in
  /// `,"event":"next","sub":1,"lane":"search","value":"`.
  @inline(__always)
  var count: Int { head.pointee.count }

  /// The offset of the event's first letter in the prepared part.
  static let letterOffset = 10
  static let letter = UInt8(ascii: "n")
  /// The number of bytes of memory before a value, for the end of the prepared part.
  package static let margin = 16

  /// Creates the template of a subscription. Without values, the prepared part ends inside the name
  /// of the lane, and each record has empty text there.
  package init(_ id: Int, _ lane: String, withValues: Bool = true, _ line: inout LineBuffer) {
    let whole = line.encode { line in
      line.event(.next)
      line.integer(.sub, id)
      if withValues {
        line.text(.lane, lane)
        line.openText(.value)
      } else {
        line.openText(.lane)
        line.fillOpenText(lane)
      }
    }
    let steps = LinePublisher.steps(of: whole)
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: MemoryLayout<Head>.stride + steps.count * MemoryLayout<Step>.stride, alignment: 8)
    let (low, high) = whole.bytes.withUnsafeBytes { bytes -> (UInt64, UInt64) in
      guard let base = bytes.baseAddress else { return (0, 0) }
      return (ByteWord.load(base, at: bytes.count - 16), ByteWord.load(base, at: bytes.count - 8))
    }
    head = memory.bindMemory(to: Head.self, capacity: 1)
    head.initialize(
      to: Head(stepCount: steps.count, count: whole.bytes.count, lastLow: low, lastHigh: high))
    (memory + MemoryLayout<Head>.stride).bindMemory(to: Step.self, capacity: steps.count)
      .initialize(from: steps, count: steps.count)
  }

  /// Creates the template at an address. Returns nil if the address is 0.
  @inline(__always)
  init?(address: UInt) {
    guard let head = UnsafeMutablePointer<Head>(bitPattern: address) else { return nil }
    self.head = head
  }

  func free() { UnsafeMutableRawPointer(head).deallocate() }

  private var steps: UnsafePointer<Step> {
    @inline(__always) get {
      UnsafeRawPointer(head + 1).assumingMemoryBound(to: Step.self)
    }
  }

  /// Writes a record with a short value over newlines. `rest` is the rest of the line: `restCount`
  /// bytes, at most 16.
  @inline(__always)
  func publish(
    _ opening: LinePrefix, _ value: ShortText, rest: (UInt64, UInt64), _ restCount: Int,
    to target: UnsafeMutableRawPointer
  ) {
    let slot = publishPrepared(opening, to: target)
    let line = ShortText.Line((head.pointee.lastLow, head.pointee.lastHigh), value, rest)
    LinePublisher.closeValue(line, value.count, rest: restCount, at: slot + count)
    LinePublisher.reveal(Self.letter, at: slot + Self.letterOffset)
  }

  @inline(__always)
  private func publishPrepared(
    _ opening: LinePrefix, to target: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    opening.publish(to: target)
    let slot = target + opening.count
    let steps = steps
    for index in 0..<head.pointee.stepCount {
      ByteWord.store(steps[index].low, steps[index].high, to: slot, at: steps[index].offset)
    }
    return slot
  }

  /// Writes a record over newlines. `value` points to the escaped text, `valueCount` bytes. The
  /// rest of the line follows the text with `rest` bytes, and `margin` bytes of memory precede it.
  @inline(__always)
  func publish(
    _ opening: LinePrefix, value: UnsafeMutableRawPointer, _ valueCount: Int, rest: Int,
    to target: UnsafeMutableRawPointer
  ) {
    let slot = publishPrepared(opening, to: target)
    ByteWord.store(head.pointee.lastLow, head.pointee.lastHigh, to: value, at: -16)
    LinePublisher.closeValue(value, valueCount, rest: rest, at: slot + count)
    LinePublisher.reveal(Self.letter, at: slot + Self.letterOffset)
  }
}
