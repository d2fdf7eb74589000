import TraceFormat

/// The steps of a record that is not assembled in memory before it is published.
extension LinePublisher {
  /// Writes a short text, whose quote is already open, and the rest of the line.
  @inline(__always)
  static func closeValue(
    _ line: ShortText.Line, _ count: Int, rest: Int, at target: UnsafeMutableRawPointer
  ) {
    let end = count + rest
    if end > 16 {
      if count >= 14 {
        // A text this long is ASCII, so no character is cut in two.
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

  /// Writes a text of `count` bytes, whose quote is already open, and the rest of the line, such as
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

  /// Returns the steps of a part that begins with its event and ends inside a text. All lines with
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
