import Synchronization
import TraceFormat

/// Functions that write a finished line into the mapped file so that the file is valid JSON Lines
/// after every instruction.
///
/// A SIGKILL takes effect between two instructions, and the kernel keeps everything that earlier
/// instructions stored. A plain copy that is killed halfway would leave `{"t":12,"ev`, which isn't
/// valid JSON. So a line grows as a valid object. Each step is one store of 16 bytes. The store
/// writes about 14 bytes over the closing of the previous step and closes the line again.
///
///     {"t":1204}
///     {"t":1204,"event":"-ex"}
///     {"t":1204,"event":"-ext","sub":1}
///     {"t":1204,"event":"-ext","sub":1,"lane":"sea"}
///     ...
///     {"t":1204,"event":"-ext","sub":1,"lane":"search","value":"swift","thread":2}
///     {"t":1204,"event":"next","sub":1,"lane":"search","value":"swift","thread":2}
///
/// The last step stores one byte, the first letter of the event. Until then, the event's name is
/// unknown to readers, which skip the record. So a value that a kill truncates is never mistaken
/// for a complete value.
///
/// A step ends inside text (between characters, never within an escape), inside digits, or after
/// a field. The widest gap without such a position is `","function":"`, 14 bytes. All keys of
/// `LogFormat.Key` are short enough. Inside a list of objects, two more characters must be closed,
/// so the keys of `RetentionKey` are shorter.
package enum LinePublisher {
  /// The closing of a string and its object: a quote and a brace.
  static let closingText: UInt64 = 0x7D22
  static let brace = UInt8(ascii: "}")
  private static let backslash = UInt8(ascii: "\\")
  private static let newlines = ByteWord.filled(with: UInt8(ascii: "\n"))

  /// Writes `line` to `target`, which must contain newlines for the whole line and its final
  /// newline.
  package static func publish(_ line: borrowing LineBuffer, to target: UnsafeMutableRawPointer) {
    if line.hasObjects {
      publishSlowPath(line, to: target)
    } else {
      publish(line, to: target, withObjects: false)
    }
  }

  @inline(never)
  private static func publishSlowPath(
    _ line: borrowing LineBuffer, to target: UnsafeMutableRawPointer
  ) {
    publish(line, to: target, withObjects: true)
  }

  /// - Parameter withObjects: Whether the line has a list of objects. Without one, a step compares
  ///   less, which saves 1 % of the instructions of a subscription.
  @inline(__always)
  private static func publish(
    _ line: borrowing LineBuffer, to target: UnsafeMutableRawPointer, withObjects: Bool
  ) {
    let bytes = UnsafeRawPointer(line.bytes)
    // Variables, because the compiler assumes that a store to the file changes the line.
    let (fields, fieldCount) = (line.fields, line.fieldCount)
    let last = line.count - 16
    var done = open(line, at: target)
    var index = 0
    while done < last {
      while index + 1 < fieldCount,
        fields[index + 1].start <= done + 14 - (withObjects ? Int(fields[index + 1].depth) : 0)
      {
        index += 1
      }
      let field = fields[index]
      if withObjects, field.depth > 0 {
        done = publishNested(field, of: bytes, after: done, to: target)
      } else if field.isText, done + 14 <= field.end {
        let cut = boundary(atMost: done + 14, after: max(done, field.start), in: bytes)
        let start = ByteWord.load(bytes, at: cut - 14)
        let rest = ByteWord.load(bytes, at: cut - 6) & 0xFFFF_FFFF_FFFF
        ByteWord.store(start, rest | closingText << 48, to: target, at: cut - 14)
        done = cut
      } else {
        let cut = field.isText ? field.end + 1 : min(field.end, done + 15)
        precondition(cut > done, "a key of the log is too long to be written in one step")
        let start = ByteWord.load(bytes, at: cut - 15)
        let rest = ByteWord.load(bytes, at: cut - 7) & 0xFF_FFFF_FFFF_FFFF
        ByteWord.store(start, rest | UInt64(brace) << 56, to: target, at: cut - 15)
        done = cut
      }
    }
    ByteWord.store(
      ByteWord.load(bytes, at: last), ByteWord.load(bytes, at: last + 8), to: target, at: last)
    reveal(line.eventLetter, at: target + line.eventOffset)
  }

  /// Writes the next step of a field in a list of objects. The step also closes everything around
  /// the field. Returns the number of bytes of the line that are now in place.
  private static func publishNested(
    _ field: LineBuffer.Field, of bytes: UnsafeRawPointer, after done: Int,
    to target: UnsafeMutableRawPointer
  ) -> Int {
    let depth = Int(field.depth)
    var cut: Int
    /// The characters that close the text, the object, the list and the line.
    var closing: UInt64
    var closingCount: Int
    if field.isText, done + 14 - depth <= field.end {
      cut = boundary(atMost: done + 14 - depth, after: max(done, field.start), in: bytes)
      (closing, closingCount) = (closingNested << 8 | UInt64(UInt8(ascii: "\"")), depth + 2)
    } else if !field.isText, done + 15 - depth < field.end {
      // Digits of a number that is too long for one step.
      cut = done + 15 - depth
      (closing, closingCount) = (closingNested, depth + 1)
    } else {
      let closed = Int(field.closed)
      cut = field.end + (field.isText ? 1 : 0) + closed
      (closing, closingCount) = (
        closingNested >> UInt64(8 * (2 - depth + closed)), depth + 1 - closed
      )
    }
    precondition(cut > done, "a key of the log is too long to be written in one step")
    // The bytes before the closing, and the closing, in one store of 16 bytes.
    let start = cut + closingCount - 16
    let kept = ByteWord.load(bytes, at: start + 8) & UInt64.max >> UInt64(8 * closingCount)
    let rest = kept | closing << UInt64(8 * (8 - closingCount))
    ByteWord.store(ByteWord.load(bytes, at: start), rest, to: target, at: start)
    return cut
  }

  /// The characters that close an object in a list, the list, and the line: `}]}`.
  private static let closingNested: UInt64 = 0x7D_5D7D

  /// Shows a line that is complete except for the first letter of its event.
  @inline(__always)
  static func reveal(_ letter: UInt8, at target: UnsafeMutableRawPointer) {
    // Neither the compiler nor another core may reorder this store before the others.
    target.assumingMemoryBound(to: Atomic<UInt8>.self).pointee.store(letter, ordering: .releasing)
  }

  /// Writes the first step, `{"t":1204}` and newlines. Returns the number of bytes of the line that
  /// are now in place.
  private static func open(
    _ line: borrowing LineBuffer, at target: UnsafeMutableRawPointer
  ) -> Int {
    let cut = min(line.fields[0].end, 15)
    openShort(line.bytes, cut, at: target)
    return cut
  }

  @inline(__always)
  private static func openShort(
    _ bytes: UnsafeRawPointer, _ cut: Int, at target: UnsafeMutableRawPointer
  ) {
    let closing = newlines & ~0xFF | UInt64(brace)
    let start = ByteWord.load(bytes, at: 0)
    if cut < 8 {
      let word = ByteWord.join(start, upTo: cut, closing << UInt64(8 * cut))
      ByteWord.store(word, newlines, to: target, at: 0)
    } else {
      let rest = ByteWord.load(bytes, at: 8)
      let word = ByteWord.join(rest, upTo: cut - 8, closing << UInt64(8 * (cut - 8)))
      ByteWord.store(start, word, to: target, at: 0)
    }
  }

  /// Writes the 15 bytes up to `cut` and a brace.
  @inline(__always)
  static func step(
    _ bytes: UnsafeRawPointer, upTo cut: Int, at target: UnsafeMutableRawPointer
  ) {
    let rest = ByteWord.load(bytes, at: cut - 7) & 0xFF_FFFF_FFFF_FFFF
    ByteWord.store(
      ByteWord.load(bytes, at: cut - 15), rest | UInt64(brace) << 56, to: target, at: cut - 15)
  }

  /// Writes the 14 bytes of a string up to `cut`, a quote and a brace.
  @inline(__always)
  static func stepInText(
    _ bytes: UnsafeRawPointer, upTo cut: Int, at target: UnsafeMutableRawPointer
  ) {
    let rest = ByteWord.load(bytes, at: cut - 6) & 0xFFFF_FFFF_FFFF
    ByteWord.store(
      ByteWord.load(bytes, at: cut - 14), rest | closingText << 48, to: target, at: cut - 14)
  }

  /// Returns the last offset up to `limit` that is between two characters of a string. `start` must
  /// be such an offset.
  @inline(__always)
  static func boundary(
    atMost limit: Int, after start: Int, in bytes: UnsafeRawPointer
  ) -> Int {
    // A character that crosses the limit begins in the 5 bytes before it: an escape such as
    // `\u0007` has 6 bytes. The other three bytes are replaced by zeros.
    let last = ByteWord.load(bytes, at: limit - 8) &>> 24
    return ByteWord.needsCare(last)
      ? boundarySlowPath(atMost: limit, after: start, in: bytes) : limit
  }

  @inline(never)
  private static func boundarySlowPath(
    atMost limit: Int, after start: Int, in bytes: UnsafeRawPointer
  ) -> Int {
    var offset = escape(before: limit, in: bytes) ?? start
    while true {
      let next = offset + width(at: offset, in: bytes)
      if next > limit { return offset }
      offset = next
    }
  }

  /// Returns the offset of the first escape that begins in the 5 bytes before `limit`. Returns nil
  /// if there isn't one, or if finding it requires the text before.
  ///
  /// Values with quotes, such as those of structures with strings, have an escape in every other
  /// step. Examining all bytes of a step takes four times as many instructions.
  @inline(__always)
  private static func escape(before limit: Int, in bytes: UnsafeRawPointer) -> Int? {
    let word = ByteWord.load(bytes, at: limit - 8)
    let last = word &>> 24
    let marks = ByteWord.marks(of: backslash, in: last)
    guard last & ByteWord.tops == 0, marks != 0 else { return nil }
    let first = marks.trailingZeroBitCount >> 3
    // The second one of two backslashes doesn't begin an escape.
    if first == 0, UInt8(truncatingIfNeeded: word &>> 16) == backslash { return nil }
    return limit - 5 + first
  }

  private static func width(at offset: Int, in bytes: UnsafeRawPointer) -> Int {
    switch bytes.load(fromByteOffset: offset, as: UInt8.self) {
    case backslash:
      bytes.load(fromByteOffset: offset + 1, as: UInt8.self) == UInt8(ascii: "u") ? 6 : 2
    case 0xF0...: 4
    case 0xE0...: 3
    case 0xC0...: 2
    default: 1
    }
  }
}

/// The steps of a record that isn't assembled in memory before it is published.
extension LinePublisher {
  /// Writes short text, whose quote is already open, and the rest of the line.
  @inline(__always)
  static func closeValue(
    _ line: ShortText.Line, _ count: Int, rest: Int, at target: UnsafeMutableRawPointer
  ) {
    let end = count + rest
    if end > 16 {
      if count >= 14 {
        // A string this long is ASCII, so no character is cut in two.
        let (low, high) = line.window(at: 16)
        ByteWord.store(
          low, high & 0xFFFF_FFFF_FFFF | closingText &<< 48, to: target, at: 0)
      }
      let cut = count + 1
      let (low, high) = line.window(at: cut + 1)
      ByteWord.store(
        low, high & 0xFF_FFFF_FFFF_FFFF | UInt64(brace) &<< 56, to: target, at: cut - 15)
    }
    let (low, high) = line.window(at: end)
    ByteWord.store(low, high, to: target, at: end - 16)
  }

  /// Writes text of `count` bytes, whose quote is already open, and the rest of the line, such as
  /// `","thread":2}`, of `rest` bytes. Both `bytes` and `target` must have 16 bytes of the line
  /// before them.
  @inline(__always)
  static func closeValue(
    _ bytes: UnsafeRawPointer, _ count: Int, rest: Int, at target: UnsafeMutableRawPointer
  ) {
    let end = count + rest
    var done = 0
    while done + 16 < end {
      if done + 14 <= count {
        done = boundary(atMost: done + 14, after: done, in: bytes)
        stepInText(bytes, upTo: done, at: target)
      } else {
        done = count + 1
        step(bytes, upTo: done, at: target)
        break
      }
    }
    ByteWord.store(
      ByteWord.load(bytes, at: end - 16), ByteWord.load(bytes, at: end - 8), to: target,
      at: end - 16)
  }

  /// Returns the steps of a part that begins with its event and ends inside text. All lines with
  /// that part share the steps.
  static func steps(of part: EncodedPart) -> [ElementLineTemplate.Step] {
    var steps: [ElementLineTemplate.Step] = []
    part.bytes.withUnsafeBytes { buffer in
      guard let bytes = buffer.baseAddress else { return }
      var done = 0
      var index = 0
      while done < buffer.count {
        while index + 1 < part.fields.count, part.fields[index + 1].start <= done + 14 {
          index += 1
        }
        let field = part.fields[index]
        let isLast = index == part.fields.count - 1
        var low: UInt64
        var high: UInt64
        if field.isText, done + 14 <= field.end || isLast {
          // The part ends inside its last text, so no quote closes the text there.
          done =
            isLast && buffer.count - done <= 14
            ? buffer.count
            : boundary(
              atMost: min(done + 14, field.end), after: max(done, field.start), in: bytes)
          low = ByteWord.load(bytes, at: done - 14)
          high = ByteWord.load(bytes, at: done - 14 + 6) >> 16 | closingText << 48
          steps.append(ElementLineTemplate.Step(offset: done - 14, low: low, high: high))
        } else {
          done = field.isText ? field.end + 1 : min(field.end, done + 15)
          low = ByteWord.load(bytes, at: done - 15)
          high = ByteWord.load(bytes, at: done - 8) >> 8 | UInt64(brace) << 56
          steps.append(ElementLineTemplate.Step(offset: done - 15, low: low, high: high))
        }
      }
    }
    return steps
  }
}
