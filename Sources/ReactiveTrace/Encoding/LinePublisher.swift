import Synchronization

/// Puts a finished line into the mapped file in such a way that the file is valid JSON Lines after every instruction.
///
/// A SIGKILL takes effect between two instructions, and what earlier instructions stored is the kernel's. A plain copy
/// killed half way would leave `{"t":12,"ev`, which no reader of JSON takes. So a line grows as a valid object: each
/// step is one store of 16 bytes that lays the next 14 or so over the closing of the step before and closes the line
/// again.
///
///     {"t":1204}
///     {"t":1204,"event":"-ex"}
///     {"t":1204,"event":"-ext","sub":1}
///     {"t":1204,"event":"-ext","sub":1,"lane":"sea"}
///     ...
///     {"t":1204,"event":"-ext","sub":1,"lane":"search","value":"swift","thread":2}
///     {"t":1204,"event":"next","sub":1,"lane":"search","value":"swift","thread":2}
///
/// The last step stores one byte, the first letter of the event. Before it the event has a name that no reader knows,
/// and readers skip such a record: a value cut short by a kill is never taken for a value.
///
/// A step ends inside a text (between characters, never within an escape), inside digits, or after a field. The widest
/// gap without such a place is `","function":"`, 14 bytes; `LogFormat.Key` has no longer key that would not fit.
package enum LinePublisher {
  private typealias Vector = SIMD16<UInt8>

  private static let quote = UInt8(ascii: "\"")
  private static let brace = UInt8(ascii: "}")
  private static let backslash = UInt8(ascii: "\\")
  private static let newline = UInt8(ascii: "\n")

  /// Fills `target`, which holds newlines for the whole of `line`, and for its newline after it.
  package static func publish(_ line: borrowing LineBuffer, to target: UnsafeMutableRawPointer) {
    let bytes = UnsafeRawPointer(line.bytes)
    let last = line.count - 16
    var done = open(line, at: target)
    var index = 0
    while done < last {
      while index + 1 < line.fieldCount, line.fields[index + 1].start <= done + 14 { index += 1 }
      let field = line.fields[index]
      if field.isText, done + 14 <= field.end {
        let cut = boundary(atMost: done + 14, after: max(done, field.start), in: bytes)
        var step = bytes.loadUnaligned(fromByteOffset: cut - 14, as: Vector.self)
        step[14] = quote
        step[15] = brace
        target.storeBytes(of: step, toByteOffset: cut - 14, as: Vector.self)
        done = cut
      } else {
        let cut = field.isText ? field.end + 1 : min(field.end, done + 15)
        precondition(cut > done, "a key of the log is too long to be written in one step")
        var step = bytes.loadUnaligned(fromByteOffset: cut - 15, as: Vector.self)
        step[15] = brace
        target.storeBytes(of: step, toByteOffset: cut - 15, as: Vector.self)
        done = cut
      }
    }
    let step = bytes.loadUnaligned(fromByteOffset: last, as: Vector.self)
    target.storeBytes(of: step, toByteOffset: last, as: Vector.self)
    // The letter must not be stored before the rest, by the compiler or seen so by a reader on another core.
    (target + line.eventOffset).assumingMemoryBound(to: Atomic<UInt8>.self).pointee
      .store(line.eventLetter, ordering: .releasing)
  }

  /// The first step, `{"t":1204}` and newlines; the bytes of the line that it put in place.
  private static func open(
    _ line: borrowing LineBuffer, at target: UnsafeMutableRawPointer
  ) -> Int {
    let cut = min(line.fields[0].end, 15)
    var step = UnsafeRawPointer(line.bytes).loadUnaligned(as: Vector.self)
    let places = Vector(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
    step.replace(with: newline, where: places .> UInt8(cut))
    step.replace(with: brace, where: places .== UInt8(cut))
    target.storeBytes(of: step, as: Vector.self)
    return cut
  }

  /// The last place up to `limit` that is between two characters of a text; `start` is such a place.
  @inline(__always)
  private static func boundary(
    atMost limit: Int, after start: Int, in bytes: UnsafeRawPointer
  ) -> Int {
    let around = bytes.loadUnaligned(fromByteOffset: limit - 14, as: Vector.self)
    let special =
      (around .>= Vector(repeating: 0x80)) .| (around .== Vector(repeating: backslash))
    return any(special) ? boundarySlowPath(atMost: limit, after: start, in: bytes) : limit
  }

  @inline(never)
  private static func boundarySlowPath(
    atMost limit: Int, after start: Int, in bytes: UnsafeRawPointer
  ) -> Int {
    var place = start
    while true {
      let next = place + width(at: place, in: bytes)
      if next > limit { return place }
      place = next
    }
  }

  private static func width(at place: Int, in bytes: UnsafeRawPointer) -> Int {
    switch bytes.load(fromByteOffset: place, as: UInt8.self) {
    case backslash:
      bytes.load(fromByteOffset: place + 1, as: UInt8.self) == UInt8(ascii: "u") ? 6 : 2
    case 0xF0...: 4
    case 0xE0...: 3
    case 0xC0...: 2
    default: 1
    }
  }
}
