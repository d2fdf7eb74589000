package import TraceFormat

/// A line under construction: its bytes, and the range of the text or digits of each field.
///
/// The memory belongs to one thread, which reuses it for its next line. A line doesn't allocate
/// unless it is longer than all previous lines. The event is hidden: the first letter of its name
/// is `-` until `LinePublisher` has written everything else.
package struct LineBuffer {
  /// The range of the text or the digits of one field, without quotes.
  package struct Field: Sendable {
    package var start: Int
    package var end: Int
    package var isText: Bool
    /// The number of lists and objects around the field, apart from the object of the line.
    package var depth: UInt8 = 0
    /// The number of these that end right after the field.
    package var closed: UInt8 = 0
  }

  /// The byte that replaces the first letter of the event while a line is unfinished.
  package static let unfinished = UInt8(ascii: "-")
  /// The maximum number of fields. Every line has fewer: the longest has a list of at most 64
  /// steps with at most 12 members.
  private static let fieldCapacity = 1024

  private(set) package var bytes: UnsafeMutableRawPointer
  private var capacity: Int
  /// The number of bytes so far. After `end`, this is the size of the whole line without its
  /// newline.
  private(set) package var count = 0
  private(set) package var fields: UnsafeMutablePointer<Field>
  private(set) package var fieldCount = 0
  /// A Boolean value that indicates whether the line has a list of objects.
  private(set) package var hasObjects = false
  /// The offset of the event's name.
  private(set) package var eventOffset = 0
  /// The first letter of the event's name, which is hidden until the line is published.
  private(set) package var eventLetter: UInt8 = 0

  package init() {
    capacity = 1024
    bytes = .allocate(byteCount: capacity, alignment: 16)
    fields = .allocate(capacity: Self.fieldCapacity)
  }

  package func deallocate() {
    bytes.deallocate()
    fields.deallocate()
  }

  /// Starts a new line over the previous one.
  package mutating func begin(at time: Int, _ event: EncodedEvent) {
    count = 0
    fieldCount = 0
    hasObjects = false
    makeRoom(for: 64)
    let opening: UInt64 = 0x3A_2274_227B  // {"t":
    bytes.storeBytes(of: opening.littleEndian, as: UInt64.self)
    count = 5
    appendDigits(time)
    self.event(event)
  }

  /// Appends the event and hides its first letter.
  package mutating func event(_ event: EncodedEvent) {
    makeRoom(for: 32)
    ByteWord.store(event.words.0, event.words.1, to: bytes, at: count)
    bytes.storeBytes(
      of: event.words.2.littleEndian, toByteOffset: count + 16, as: UInt64.self)
    eventOffset = count + EncodedEvent.nameOffset
    eventLetter = event.letter
    count += event.count
    note(Field(start: eventOffset, end: count - 1, isText: true))
  }

  /// Starts a text field and leaves out its text and its closing quote.
  package mutating func openText(_ key: EncodedKey) {
    makeRoom(for: 32)
    append(key)
    appendByte(UInt8(ascii: "\""))
    note(Field(start: count, end: count, isText: true))
  }

  package mutating func integer(_ key: EncodedKey, _ value: Int) {
    makeRoom(for: 48)
    append(key)
    appendDigits(value)
  }

  /// Appends an escaped text field. A limit cuts the text on a character boundary and adds
  /// `truncated` with the full length.
  package mutating func text(_ key: EncodedKey, _ text: String, limit: Int = .max) {
    var text = text
    let size = text.utf8.count
    let shown = size <= limit ? size : text.bytesOfCharacters(within: limit)
    makeRoom(for: 48 + shown * JSONEscaping.worstGrowth)
    append(key)
    appendByte(UInt8(ascii: "\""))
    let start = count
    text.withUTF8 { utf8 in
      count += JSONEscaping.write(UnsafeBufferPointer(rebasing: utf8[..<shown]), to: bytes + count)
    }
    note(Field(start: start, end: count, isText: true))
    appendByte(UInt8(ascii: "\""))
    if shown < size { integer(.truncated, size) }
  }

  /// Appends a text field from UTF-8 bytes. `whole` is the length of the text before truncation.
  package mutating func text(_ key: EncodedKey, _ text: UnsafeBufferPointer<UInt8>, of whole: Int) {
    makeRoom(for: 48 + text.count * JSONEscaping.worstGrowth)
    append(key)
    appendByte(UInt8(ascii: "\""))
    let start = count
    count += JSONEscaping.write(text, to: bytes + count)
    note(Field(start: start, end: count, isText: true))
    appendByte(UInt8(ascii: "\""))
    if text.count < whole { integer(.truncated, whole) }
  }

  /// Appends a list of objects, which must not be empty. Each object has at least one member.
  package mutating func objects(_ key: EncodedKey, _ objects: [RecordObject]) {
    hasObjects = true
    makeRoom(for: 32)
    append(key)
    appendByte(UInt8(ascii: "["))
    // An empty field, so that a step may end before the first object.
    note(Field(start: count, end: count, isText: false, depth: 1))
    for (index, members) in objects.enumerated() {
      makeRoom(for: 8)
      if index > 0 { appendByte(UInt8(ascii: ",")) }
      appendByte(UInt8(ascii: "{"))
      // An empty field, so that a step may end before the first member.
      note(Field(start: count, end: count, isText: false, depth: 2))
      for (number, member) in members.enumerated() {
        self.member(member.key.rawValue, member.value, isFirst: number == 0)
      }
      fields[fieldCount - 1].closed = index == objects.count - 1 ? 2 : 1
      appendByte(UInt8(ascii: "}"))
    }
    appendByte(UInt8(ascii: "]"))
  }

  private mutating func member(_ key: String, _ value: RetentionValue, isFirst: Bool) {
    makeRoom(for: 48)
    if !isFirst { appendByte(UInt8(ascii: ",")) }
    appendByte(UInt8(ascii: "\""))
    for byte in key.utf8 { appendByte(byte) }
    appendByte(UInt8(ascii: "\""))
    appendByte(UInt8(ascii: ":"))
    switch value {
    case .text(var text):
      makeRoom(for: 48 + text.utf8.count * JSONEscaping.worstGrowth)
      appendByte(UInt8(ascii: "\""))
      let start = count
      text.withUTF8 { count += JSONEscaping.write($0, to: bytes + count) }
      note(Field(start: start, end: count, isText: true, depth: 2))
      appendByte(UInt8(ascii: "\""))
    case .integer(let number):
      let start = count
      count += Digits.write(Int(clamping: number), to: bytes + count)
      note(Field(start: start, end: count, isText: false, depth: 2))
    }
  }

  /// Appends a text field that consists of a plain prefix and a number.
  package mutating func text(_ key: EncodedKey, _ prefix: StaticString, _ number: Int) {
    openText(key)
    makeRoom(for: prefix.utf8CodeUnitCount + 32)
    (bytes + count).copyMemory(from: prefix.utf8Start, byteCount: prefix.utf8CodeUnitCount)
    count += prefix.utf8CodeUnitCount
    count += Digits.write(number, to: bytes + count)
    fields[fieldCount - 1].end = count
    appendByte(UInt8(ascii: "\""))
  }

  /// Appends a text field with addresses, such as `0x1a2b3 0x1c4d5`.
  mutating func text(_ key: EncodedKey, _ addresses: [UInt]) {
    openText(key)
    makeRoom(for: addresses.count * 19 + 32)
    for (index, address) in addresses.enumerated() {
      if index > 0 { appendByte(UInt8(ascii: " ")) }
      appendByte(UInt8(ascii: "0"))
      appendByte(UInt8(ascii: "x"))
      var shift = max(0, (UInt.bitWidth - 1 - address.leadingZeroBitCount) / 4 * 4)
      while shift >= 0 {
        let digit = UInt8(truncatingIfNeeded: address >> UInt(shift) & 0xF)
        appendByte(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        shift -= 4
      }
    }
    fields[fieldCount - 1].end = count
    appendByte(UInt8(ascii: "\""))
  }

  /// Appends fields that were encoded earlier.
  package mutating func part(_ part: EncodedPart) {
    makeRoom(for: part.bytes.count)
    for field in part.fields {
      note(Field(start: count + field.start, end: count + field.end, isText: field.isText))
    }
    part.bytes.withUnsafeBytes { source in
      guard let start = source.baseAddress else { return }
      (bytes + count).copyMemory(from: start, byteCount: source.count)
    }
    count += part.bytes.count
  }

  package mutating func end() {
    makeRoom(for: 16)
    appendByte(UInt8(ascii: "}"))
  }

  /// Returns what `body` appends, for use in other lines.
  package mutating func encode(_ body: (inout LineBuffer) -> Void) -> EncodedPart {
    count = 0
    fieldCount = 0
    body(&self)
    // `LinePublisher` loads eight bytes together, even if fewer are left.
    let copy = [UInt8](unsafeUninitializedCapacity: count + 8) { copy, initialized in
      copy.initialize(repeating: UInt8(ascii: " "))
      UnsafeMutableRawBufferPointer(copy).copyMemory(
        from: UnsafeRawBufferPointer(start: bytes, count: count))
      initialized = count
    }
    return EncodedPart(
      bytes: copy,
      fields: Array(UnsafeBufferPointer(start: fields, count: fieldCount)))
  }

  /// Appends text to the open field and leaves the field open.
  mutating func fillOpenText(_ text: String) {
    var text = text
    makeRoom(for: 16 + text.utf8.count * JSONEscaping.worstGrowth)
    text.withUTF8 { count += JSONEscaping.write($0, to: bytes + count) }
    fields[fieldCount - 1].end = count
  }

  /// The whole line as it will be in the file, including the newline.
  package var finishedBytes: [UInt8] {
    var whole = Array(UnsafeRawBufferPointer(start: bytes, count: count))
    whole[eventOffset] = eventLetter
    whole.append(UInt8(ascii: "\n"))
    return whole
  }

  private mutating func note(_ field: Field) {
    precondition(fieldCount < Self.fieldCapacity, "a line of the log has too many fields")
    fields[fieldCount] = field
    fieldCount += 1
  }

  private mutating func appendDigits(_ value: Int) {
    let start = count
    count += Digits.write(value, to: bytes + count)
    note(Field(start: start, end: count, isText: false))
  }

  /// Reserves this many bytes of memory and discards the current content.
  @inline(__always)
  package mutating func reserve(_ size: Int) {
    count = 0
    if size > capacity { makeRoomSlowPath(for: size) }
  }

  /// Appends a key. 16 bytes of memory must be free.
  private mutating func append(_ key: EncodedKey) {
    ByteWord.store(key.low, key.high, to: bytes, at: count)
    count += key.count
  }

  private mutating func appendByte(_ byte: UInt8) {
    bytes.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count += 1
  }

  /// Makes room for `more` bytes plus 16, so that escaping can read and write whole vectors.
  @inline(__always)
  private mutating func makeRoom(for more: Int) {
    if count + more + 16 > capacity { makeRoomSlowPath(for: more) }
  }

  @inline(never)
  private mutating func makeRoomSlowPath(for more: Int) {
    capacity = max(2 * capacity, count + more + 16)
    let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    larger.copyMemory(from: bytes, byteCount: count)
    bytes.deallocate()
    bytes = larger
  }
}
