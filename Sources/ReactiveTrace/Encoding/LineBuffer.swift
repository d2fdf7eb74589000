import TraceFormat

/// One line in the making: its bytes, and where the text or digits of each field lie in them.
///
/// The memory belongs to one thread, which uses it again for its next line, so that a line costs no allocation once
/// the longest has been seen. The line begins with its event held back: the first letter of the name is `-` until
/// `LinePublisher` has put everything else in place.
package struct LineBuffer {
  /// The text or the digits of one field, without quotes.
  package struct Field: Sendable {
    package var start: Int
    package var end: Int
    package var isText: Bool
  }

  /// Stands for the first letter of the event while a line is unfinished.
  package static let unfinished = UInt8(ascii: "-")
  /// More than a line has fields: the header has every key of the format once.
  private static let fieldCapacity = 64

  private(set) package var bytes: UnsafeMutableRawPointer
  private var capacity: Int
  /// Bytes so far; after `end` all of the line but its newline.
  private(set) package var count = 0
  private(set) package var fields: UnsafeMutablePointer<Field>
  private(set) package var fieldCount = 0
  /// Where the event's name begins, and the letter that belongs there.
  private(set) package var eventOffset = 0
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

  /// Starts a line over the last one.
  package mutating func begin(at time: Int, _ event: EncodedEvent) {
    count = 0
    fieldCount = 0
    makeRoom(for: 64)
    append(EncodedKey.openingBytes)
    appendDigits(time)
    self.event(event)
  }

  /// The event, its first letter held back.
  package mutating func event(_ event: EncodedEvent) {
    makeRoom(for: 32)
    append(event.bytes)
    eventOffset = count - 1 - event.nameLength
    eventLetter = bytes.load(fromByteOffset: eventOffset, as: UInt8.self)
    bytes.storeBytes(of: Self.unfinished, toByteOffset: eventOffset, as: UInt8.self)
    note(Field(start: eventOffset, end: count - 1, isText: true))
  }

  /// A text field without its text and without the quote after it.
  package mutating func openText(_ key: EncodedKey) {
    makeRoom(for: 32)
    append(key.bytes)
    appendByte(UInt8(ascii: "\""))
    note(Field(start: count, end: count, isText: true))
  }

  package mutating func integer(_ key: EncodedKey, _ value: Int) {
    makeRoom(for: 48)
    append(key.bytes)
    appendDigits(value)
  }

  /// A text field, escaped; with a limit it is cut there on a character boundary, and `truncated` tells its length.
  package mutating func text(_ key: EncodedKey, _ text: String, limit: Int = .max) {
    var text = text
    let size = text.utf8.count
    let shown = size <= limit ? size : text.bytesOfCharacters(within: limit)
    makeRoom(for: 48 + shown * JSONEscaping.worstGrowth)
    append(key.bytes)
    appendByte(UInt8(ascii: "\""))
    let start = count
    text.withUTF8 { utf8 in
      count += JSONEscaping.write(UnsafeBufferPointer(rebasing: utf8[..<shown]), to: bytes + count)
    }
    note(Field(start: start, end: count, isText: true))
    appendByte(UInt8(ascii: "\""))
    if shown < size { integer(.truncated, size) }
  }

  /// A text field of bytes that are UTF-8; `whole` is the length of the text that they were cut from.
  package mutating func text(_ key: EncodedKey, _ text: UnsafeBufferPointer<UInt8>, of whole: Int) {
    makeRoom(for: 48 + text.count * JSONEscaping.worstGrowth)
    append(key.bytes)
    appendByte(UInt8(ascii: "\""))
    let start = count
    count += JSONEscaping.write(text, to: bytes + count)
    note(Field(start: start, end: count, isText: true))
    appendByte(UInt8(ascii: "\""))
    if text.count < whole { integer(.truncated, whole) }
  }

  /// Fields encoded earlier.
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

  /// What `body` appends, to be used again in other lines.
  package mutating func encode(_ body: (inout LineBuffer) -> Void) -> EncodedPart {
    count = 0
    fieldCount = 0
    body(&self)
    // `LinePublisher` loads eight bytes at once, also where fewer are left.
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

  /// What all records of a subscription have after their event.
  mutating func place(of id: Int, _ lane: String) -> EncodedPart {
    encode { line in
      line.integer(.sub, id)
      line.text(.lane, lane)
    }
  }

  /// Puts a text into the field that is open, and leaves it open.
  mutating func fillOpenText(_ text: String) {
    var text = text
    makeRoom(for: 16 + text.utf8.count * JSONEscaping.worstGrowth)
    text.withUTF8 { count += JSONEscaping.write($0, to: bytes + count) }
    fields[fieldCount - 1].end = count
  }

  /// The whole line as it will stand in the file, newline included.
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

  /// Makes sure of this many bytes of memory, whose content may be lost.
  @inline(__always)
  package mutating func reserve(_ size: Int) {
    count = 0
    if size > capacity { makeRoomSlowPath(for: size) }
  }

  private mutating func append(_ source: [UInt8]) {
    source.withUnsafeBytes { source in
      guard let start = source.baseAddress else { return }
      (bytes + count).copyMemory(from: start, byteCount: source.count)
    }
    count += source.count
  }

  private mutating func appendByte(_ byte: UInt8) {
    bytes.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count += 1
  }

  /// 16 bytes more than asked for are kept, so that escaping may read and write whole vectors.
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
