/// A writer of JSON text that keeps the order of the members and the exact value of numbers. The
/// text doesn't contain any character that a terminal interprets or hides.
///
///     var json = JSONWriter(.indented)
///     json.object {
///       $0.string("rule", "growth")
///       $0.array("lanes") { $0.string("search") }
///     }
///
/// A value inside an object needs a key. A value inside an array or at the top level has no key.
@usableFromInline
package struct JSONWriter: Sendable {
  package enum Layout: Sendable {
    /// No whitespace anywhere.
    case compact
    /// One value per line, indented by two spaces per level.
    case indented
  }

  /// The text so far, and room for more.
  ///
  /// The room is part of the array, so that a value is written with a few checks instead of one for
  /// each byte.
  private var memory: [UInt8] = []
  /// The number of bytes in the text so far.
  private var count = 0
  /// True if `<` becomes `\u003c`, so that the text can be inside a `<script>` of HTML.
  private let escapesLessThan: Bool
  private let layout: Layout
  private var depth = 0
  /// True while nothing precedes the next value in its object, array or document.
  private var isFirst = true
  /// The number of objects and arrays around the next value that are written on one line.
  private var lineDepth = 0

  package init(_ layout: Layout = .compact, escapesLessThan: Bool = false) {
    self.layout = layout
    self.escapesLessThan = escapesLessThan
  }

  /// The text so far, as valid UTF-8.
  package var bytes: ArraySlice<UInt8> { memory[..<count] }

  package var text: String {
    String(decoding: bytes, as: UTF8.self)
  }

  /// Discards the bytes written so far, to make room for the next piece of a long text. Open
  /// objects and arrays stay open.
  package mutating func removeBytes() {
    count = 0
  }

  /// Returns a writer for some of the next elements of the open array. Other threads may use it.
  /// `append` adds what it writes.
  ///
  /// - Parameter isFirst: True if these are the first elements that are written separately.
  package func part(isFirst: Bool) -> JSONWriter {
    var part = self
    part.memory = []
    part.count = 0
    part.isFirst = self.isFirst && isFirst
    return part
  }

  /// Adds elements that were written separately.
  package mutating func append(_ part: JSONWriter) {
    part.memory.withUnsafeBufferPointer { append(UnsafeBufferPointer(rebasing: $0[..<part.count])) }
    isFirst = isFirst && part.isFirst
  }

  /// Ends a document. Another one may follow.
  package mutating func newline() {
    append("\n")
    isFirst = true
  }

  /// - Parameter onOneLine: Writes the object as `{"a": 1, "b": 2}` even if the rest is indented.
  package mutating func object(
    _ key: String? = nil, onOneLine: Bool = false, _ members: (inout JSONWriter) -> Void
  ) {
    nested(key, UInt8(ascii: "{"), UInt8(ascii: "}"), onOneLine, members)
  }

  /// - Parameter onOneLine: Writes the array as `[1, 2]` even if the rest is indented.
  package mutating func array(
    _ key: String? = nil, onOneLine: Bool = false, _ elements: (inout JSONWriter) -> Void
  ) {
    nested(key, UInt8(ascii: "["), UInt8(ascii: "]"), onOneLine, elements)
  }

  package mutating func string(_ key: String? = nil, _ value: String) {
    begin(key)
    quote(value)
  }

  /// Writes an integer with all its digits. Readers that store numbers as doubles round above 2^53.
  @inlinable
  package mutating func integer(_ key: String? = nil, _ value: some FixedWidthInteger) {
    integer(key, UInt64(value.magnitude), isNegative: value < 0)
  }

  @usableFromInline
  mutating func integer(_ key: String?, _ magnitude: UInt64, isNegative: Bool) {
    begin(key)
    append(atMost: 1 + Digits.maxCount) { target in
      Digits.write(magnitude, isNegative: isNegative, to: target)
    }
  }

  /// Writes the shortest text that reads back as the same number. Infinities and NaN become `null`,
  /// because JSON does not have them.
  package mutating func double(_ key: String? = nil, _ value: Double) {
    begin(key)
    append(value.isFinite ? value.description : "null")
  }

  package mutating func bool(_ key: String? = nil, _ value: Bool) {
    begin(key)
    append(value ? "true" : "false")
  }

  package mutating func null(_ key: String? = nil) {
    begin(key)
    append("null")
  }

  private mutating func nested(
    _ key: String?, _ opening: UInt8, _ closing: UInt8, _ onOneLine: Bool,
    _ body: (inout JSONWriter) -> Void
  ) {
    begin(key)
    append(opening)
    let line = onOneLine || lineDepth > 0 ? 1 : 0
    depth += 1
    lineDepth += line
    isFirst = true
    body(&self)
    depth -= 1
    lineDepth -= line
    // An empty object or array stays on one line.
    if !isFirst, line == 0 { breakLine() }
    append(closing)
    isFirst = false
  }

  /// Writes what precedes a value: the comma, the line break and the key.
  private mutating func begin(_ key: String?) {
    let isLater = !isFirst
    let isInline = lineDepth > 0
    isFirst = false
    let breaksLine = depth > 0 && !isInline && layout == .indented
    if isLater || breaksLine {
      let (depth, layout) = (depth, layout)
      append(atMost: 2 + 2 * depth) { target in
        var length = 0
        if isLater {
          target.storeBytes(of: UInt8(ascii: ","), as: UInt8.self)
          length = 1
          if isInline, layout == .indented {
            target.storeBytes(of: UInt8(ascii: " "), toByteOffset: 1, as: UInt8.self)
            length = 2
          }
        }
        return breaksLine ? length + Self.breakLine(depth, to: target + length) : length
      }
    }
    guard let key else { return }
    quote(key, before: layout == .indented ? ": " : ":")
  }

  private mutating func breakLine() {
    guard layout == .indented else { return }
    let depth = depth
    append(atMost: 1 + 2 * depth) { Self.breakLine(depth, to: $0) }
  }

  private static func breakLine(_ depth: Int, to target: UnsafeMutableRawPointer) -> Int {
    target.storeBytes(of: UInt8(ascii: "\n"), as: UInt8.self)
    (target + 1).initializeMemory(as: UInt8.self, repeating: UInt8(ascii: " "), count: 2 * depth)
    return 1 + 2 * depth
  }

  /// Writes a string with its quotes, and what follows it.
  private mutating func quote(_ text: String, before next: StaticString = "") {
    let escapesLessThan = escapesLessThan
    var text = text
    text.withUTF8 { utf8 in
      guard JSONText.plainCount(utf8, escapesLessThan) == utf8.count else {
        return quoteSlowPath(utf8, next)
      }
      let length = utf8.count + 2
      append(atMost: length + next.utf8CodeUnitCount) { target in
        target.storeBytes(of: UInt8(ascii: "\""), as: UInt8.self)
        if let base = utf8.baseAddress {
          (target + 1).copyMemory(from: base, byteCount: utf8.count)
        }
        target.storeBytes(of: UInt8(ascii: "\""), toByteOffset: length - 1, as: UInt8.self)
        for index in 0..<next.utf8CodeUnitCount {
          target.storeBytes(of: next.utf8Start[index], toByteOffset: length + index, as: UInt8.self)
        }
        return length + next.utf8CodeUnitCount
      }
    }
  }

  /// Writes a string with escapes.
  @inline(never)
  private mutating func quoteSlowPath(_ utf8: UnsafeBufferPointer<UInt8>, _ next: StaticString) {
    var quoted: [UInt8] = []
    JSONText.append(utf8, to: &quoted, escapesLessThan: escapesLessThan)
    quoted.withUnsafeBufferPointer { append($0) }
    append("\(next)")
  }

  private mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { append($0) }
  }

  private mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let base = bytes.baseAddress else { return }
    append(atMost: bytes.count) { target in
      target.copyMemory(from: base, byteCount: bytes.count)
      return bytes.count
    }
  }

  @inline(__always)
  private mutating func append(_ byte: UInt8) {
    append(atMost: 1) { target in
      target.storeBytes(of: byte, as: UInt8.self)
      return 1
    }
  }

  /// Appends bytes that a function writes.
  ///
  /// - Parameters:
  ///   - room: The maximum number of bytes.
  ///   - write: A function that returns the number of bytes that it wrote.
  @inline(__always)
  private mutating func append(
    atMost room: Int, _ write: (UnsafeMutableRawPointer) -> Int
  ) {
    if memory.count - count < room { grow(room) }
    let start = count
    count += memory.withUnsafeMutableBytes { memory in
      memory.baseAddress.map { write($0 + start) } ?? 0
    }
  }

  /// The size from which on the room grows by a quarter instead of twofold.
  private static let largeSize = 1 << 20

  @inline(never)
  private mutating func grow(_ room: Int) {
    // The room takes memory at once, because it is filled with zeros. With 220,000 findings,
    // `check -f json` takes 490 MB, and 606 MB if the room always grows twofold.
    let more = memory.count < Self.largeSize ? memory.count : memory.count / 4
    let size = max(256, memory.count + more, count + room)
    memory = [UInt8](unsafeUninitializedCapacity: size) { larger, initialized in
      _ = larger.initialize(fromContentsOf: memory[..<count])
      larger[count...].initialize(repeating: 0)
      initialized = size
    }
  }
}
